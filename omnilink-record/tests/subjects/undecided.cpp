// Nobody can run, but somebody outside could change that, as the first argument names.
#include "subject.hpp"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

int main(int, char **argv) {
    const auto is = [&](const char *name) { return !std::strcmp(argv[1], name); };
    sem_t own, *word = &own;
    sem_init(&own, 0, 0);
    const int memory = memfd_create("somebody else's", 0);
    if (ftruncate(memory, 4096)) return 1;
    const auto mapped = [=](int flags, int file) {
        auto *word = static_cast<sem_t *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | flags, file, 0));
        sem_init(word, 1, 0);
        return word;
    };
    if (is("named memory")) word = mapped(0, memory);
    if (is("child")) {
        word = mapped(MAP_ANONYMOUS, -1);
        // It would wake the program, one day.
        if (fork() == 0) for (;;) pause();
    }
    std::thread other([=] { while (sem_wait(word)) {} });
    if (is("signal")) for (;;) pause();
    if (is("sigwait")) {
        sigset_t signals;
        sigemptyset(&signals), sigaddset(&signals, SIGTERM);
        int signal;
        sigwait(&signals, &signal);
    }
    if (is("input")) {
        int ends[2];
        char byte;
        if (pipe(ends) || read(ends[0], &byte, 1)) return 1;
    }
    if (is("locked file")) {
        const int one = open("/proc/self/exe", O_RDONLY), two = open("/proc/self/exe", O_RDONLY);
        flock(one, LOCK_EX), flock(two, LOCK_EX);
    }
    other.join();
}
