// Threads that never get anywhere, in the way that the first argument names. If there is a second, others wait forever
// meanwhile, else others spin, too.
#include "subject.hpp"
#include <atomic>
#include <cstring>
#include <sched.h>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

std::atomic<bool> never{false};
sem_t closed;

void spin(const char *how) {
    if (!std::strcmp(how, "pause")) while (!never) __builtin_ia32_pause();
    if (!std::strcmp(how, "yield")) while (!never) sched_yield();
    if (!std::strcmp(how, "load")) while (!never.load(std::memory_order_relaxed)) {}
    if (!std::strcmp(how, "sleep")) while (!never) usleep(10);
    if (!std::strcmp(how, "none")) for (;;) asm volatile("");
}

int main(int argc, char **argv) {
    sem_init(&closed, 0, 0);
    const char *how = argc > 1 ? argv[1] : "load";
    std::thread other([&] {
        if (argc > 2) while (sem_wait(&closed)) {}
        else spin("load");
    });
    spin(how);
}
