// Two threads that wait for each other's mutex, surely. The first argument names what else there is, none of which could
// ever wake one of them.
#include "subject.hpp"
#include <csignal>
#include <cstring>
#include <mutex>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

std::mutex first, second;

int main(int argc, char **argv) {
    const auto is = [&](const char *name) { return argc > 1 && !std::strcmp(argv[1], name); };
    sem_t shared_memory_of_nobody_else;
    sem_t *word = &shared_memory_of_nobody_else;
    if (is("zombie") && fork() == 0) _exit(0);
    if (is("child")) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, nullptr, 0);
    }
    if (is("timer")) {
        signal(SIGALRM, SIG_IGN);
        itimerval later = {{0, 0}, {100, 0}}, none = {};
        setitimer(ITIMER_REAL, &later, nullptr), setitimer(ITIMER_REAL, &none, nullptr);
        itimerspec soon = {{0, 0}, {100, 0}}, stop = {};
        const int clock = timerfd_create(CLOCK_MONOTONIC, 0);
        timerfd_settime(clock, 0, &soon, nullptr), timerfd_settime(clock, 0, &stop, nullptr);
    }
    if (is("signals")) {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
        raise(SIGUSR1);
    }
    if (is("shared")) {
        // Shared with children, of which there are none.
        word = static_cast<sem_t *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        sem_init(word, 1, 0);
        while (sem_wait(word)) {}
    }
    sem_t one_has, other_has;
    sem_init(&one_has, 0, 0), sem_init(&other_has, 0, 0);
    std::thread other([&] {
        std::lock_guard<std::mutex> lock(second);
        sem_post(&other_has);
        while (sem_wait(&one_has)) {}
        std::lock_guard<std::mutex> never(first);
    });
    std::lock_guard<std::mutex> lock(first);
    sem_post(&one_has);
    while (sem_wait(&other_has)) {}
    std::lock_guard<std::mutex> never(second);
}
