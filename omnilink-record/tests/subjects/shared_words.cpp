// Correct: a child and threads of the program wait for each other at words of shared memory, and by signals to the id that
// the program was told.
#include "subject.hpp"
#include <csignal>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

struct Shared {
    sem_t to_child, to_parent;
    pthread_mutex_t mutex, robust, inheriting;
    int count;
};

int main() {
    auto *shared = static_cast<Shared *>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    sem_init(&shared->to_child, 1, 0), sem_init(&shared->to_parent, 1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shared->robust, &attributes);
    sigset_t signals;
    sigemptyset(&signals), sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        if (getppid() != parent) _exit(9);
        pthread_mutex_lock(&shared->robust);
        for (int i = 0; i < 20; i++) {
            while (sem_wait(&shared->to_child)) {}
            pthread_mutex_lock(&shared->mutex);
            shared->count++;
            pthread_mutex_unlock(&shared->mutex);
            sem_post(&shared->to_parent);
        }
        if (kill(parent, SIGUSR1)) _exit(8);
        // Still owns the robust mutex.
        _exit(0);
    }
    std::thread other([&] {
        for (int i = 0; i < 20; i++) {
            pthread_mutex_lock(&shared->mutex);
            shared->count++;
            sched_yield();
            pthread_mutex_unlock(&shared->mutex);
        }
    });
    for (int i = 0; i < 20; i++) {
        sem_post(&shared->to_child);
        while (sem_wait(&shared->to_parent)) {}
    }
    int signal = 0, status = 0;
    bool good = sigwait(&signals, &signal) == 0 && signal == SIGUSR1;
    const int locked = pthread_mutex_lock(&shared->robust);
    good = good && locked == EOWNERDEAD && pthread_mutex_consistent(&shared->robust) == 0;
    other.join();
    good = good && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return verdict(!good || shared->count != 40, "somebody waited in vain");
}
