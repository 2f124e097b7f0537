// Correct: threads and a child that name each other by their ids. Prints ids, which are the same in every run.
#include "subject.hpp"
#include <atomic>
#include <csignal>
#include <initializer_list>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

std::atomic<int> received{0}, other{0};

int main() {
    signal(SIGUSR1, [](int) { received++; });
    const pid_t self = getpid();
    bool good = gettid() == self && getpgid(self) == getpgid(0);
    good = good && getpriority(PRIO_PROCESS, self) == getpriority(PRIO_PROCESS, 0);
    std::thread thread([] {
        other = gettid();
        while (received < 3) sched_yield();
    });
    while (other == 0) sched_yield();
    std::printf("process %d, thread %d\n", self, other.load());
    // To the process, to the other thread, to this one.
    good = good && other != self && kill(self, SIGUSR1) == 0;
    good = good && syscall(SYS_tgkill, self, other.load(), SIGUSR1) == 0 && raise(SIGUSR1) == 0;
    thread.join();
    const pid_t child = fork();
    if (child == 0) _exit(getpid() == self);
    int status = 1;
    good = good && waitpid(child, &status, 0) == child && status == 0;
    return verdict(!good, "somebody was taken for another");
}
