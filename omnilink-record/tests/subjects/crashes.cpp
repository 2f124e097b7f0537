// A program of several threads that does what its argument names: it crashes in one of them, or receives signals that
// it survives.
#include "subject.hpp"
#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>
#include <unistd.h>

std::atomic<int> started{0}, received{0};
std::atomic<bool> created{false};
int *volatile nothing;

extern "C" __attribute__((noinline)) void wait_forever() {
    started++;
    for (;;) usleep(1000);
}

extern "C" __attribute__((noinline)) void fall() { *nothing = 1; }

int main(int, char **argv) {
    const auto is = [&](const char *name) { return !std::strcmp(argv[1], name); };
    if (is("handler")) {
        signal(SIGUSR1, [](int) { received++; });
        for (int i = 0; i < 100; i++) raise(SIGUSR1);
        return received == 100 ? 0 : 1;
    }
    if (is("stopped")) {
        const pid_t parent = getpid();
        if (fork() == 0) {
            usleep(20000);
            kill(parent, SIGCONT);
            _exit(0);
        }
        raise(SIGSTOP);
        return 0;
    }
    if (is("becomes")) return execl("/bin/sh", "sh", "-c", "kill -USR1 $$", nullptr);
    if (is("at-once")) std::thread(fall).join();
    std::thread waiting(wait_forever);
    std::thread crashing([&] {
        // Not while a thread is being created: at some instructions of that, no unwind information tells who called.
        while (!started || !created) usleep(1000);
        if (is("fault")) fall();
        if (is("abort")) std::abort();
        wait_forever();
    });
    created = true;
    waiting.join(), crashing.join();
}
