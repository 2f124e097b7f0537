// Correct: signals to a running, a waiting and a sleeping thread; a fault whose handler repairs what caused it.
#include "subject.hpp"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

std::atomic<int> received{0}, faults{0};
std::atomic<bool> done{false};
std::atomic<int> *page;
sem_t never;

void count(int) { received++; }

void repair(int, siginfo_t *, void *) {
    faults++;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

void handle(int signal, void (*handler)(int), void (*detailed)(int, siginfo_t *, void *)) {
    struct sigaction action = {};
    if (handler) action.sa_handler = handler;
    else action.sa_sigaction = detailed, action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, nullptr);
}

int main() {
    handle(SIGUSR1, count, nullptr), handle(SIGSEGV, nullptr, repair);
    sem_init(&never, 0, 0);
    page = static_cast<std::atomic<int> *>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::atomic<int> interrupted{0}, cell{0};
    std::thread runner([&] { while (!done) cell++; });
    std::thread waiter([&] { if (sem_wait(&never) == -1 && errno == EINTR) interrupted++; });
    std::thread sleeper([&] {
        while (usleep(900000000) == 0) {}
        if (errno == EINTR) interrupted++;
    });
    page->fetch_add(1);
    for (std::thread *thread : {&runner, &waiter, &sleeper}) pthread_kill(thread->native_handle(), SIGUSR1);
    raise(SIGUSR1);
    done = true;
    runner.join();
    // A signal that comes before its thread waits does not interrupt it.
    while (interrupted < 2) {
        pthread_kill(waiter.native_handle(), SIGUSR1), pthread_kill(sleeper.native_handle(), SIGUSR1);
        sched_yield();
    }
    waiter.join(), sleeper.join();
    return verdict(received < 4 || faults != 1 || page->load() != 1, "signals were lost");
}
