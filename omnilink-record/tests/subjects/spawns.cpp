// Correct: starts processes in every way, beside a thread, and looks how each of them ended.
#include "subject.hpp"
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;
alignas(16) static char stack[65536];

static int ended(pid_t child, int options = 0) {
    int status = 0;
    return waitpid(child, &status, options) == child ? status : -1;
}

static bool exited(int status, int code) { return WIFEXITED(status) && WEXITSTATUS(status) == code; }

int main() {
    bool wrong = false;
    for (int round = 0; round < 5; round++) {
        std::thread beside([] { usleep(100); });
        pid_t child;
        char shell[] = "/bin/sh", option[] = "-c", command[] = "exit 3";
        char *arguments[] = {shell, option, command, nullptr};
        wrong |= posix_spawn(&child, shell, nullptr, nullptr, arguments, environ) != 0 || !exited(ended(child), 3);
        if ((child = vfork()) == 0) _exit(4);
        wrong |= !exited(ended(child), 4);
        if ((child = fork()) == 0) {
            raise(SIGUSR1);
            _exit(1);
        }
        int status = ended(child);
        wrong |= !WIFSIGNALED(status) || WTERMSIG(status) != SIGUSR1;
        // A process that the kernel starts like a thread.
        child = clone([](void *) { return 5; }, stack + sizeof stack, CLONE_VM, nullptr);
        wrong |= !exited(ended(child, __WCLONE), 5);
        if ((child = fork()) == 0) {
            raise(SIGSTOP);
            _exit(6);
        }
        wrong |= !WIFSTOPPED(ended(child, WUNTRACED));
        kill(child, SIGCONT);
        wrong |= !exited(ended(child), 6);
        beside.join();
    }
    // Nobody else has sent signals to the program.
    sigset_t pending;
    sigpending(&pending);
    wrong |= sigismember(&pending, SIGCONT) || sigismember(&pending, SIGSTOP);
    return verdict(wrong, "a process ended in another way");
}
