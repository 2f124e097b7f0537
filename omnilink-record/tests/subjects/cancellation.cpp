// Correct: threads that are cancelled while they wait for a condition, a semaphore, time, input, a signal, and while they run.
#include "subject.hpp"
#include <atomic>
#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
sem_t closed;
int ends[2];
std::atomic<int> cleaned{0};

void clean(void *held) {
    cleaned++;
    if (held) pthread_mutex_unlock(&mutex);
}

void *waits(void *) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, &mutex);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
}

template <class Wait> void *forever(Wait wait) {
    pthread_cleanup_push(clean, nullptr);
    for (;;) wait();
    pthread_cleanup_pop(1);
}

void *takes(void *) { return forever([] { sem_wait(&closed); }); }
void *sleeps(void *) { return forever([] { sleep(3600); }); }
void *pauses(void *) { return forever([] { pause(); }); }
void *runs(void *) { return forever([] { pthread_testcancel(); sched_yield(); }); }
void *reads(void *) {
    return forever([] {
        char byte;
        if (read(ends[0], &byte, 1) == 1) std::abort();
    });
}

int main() {
    if (pipe(ends)) return 1;
    sem_init(&closed, 0, 0);
    void *(*bodies[])(void *) = {waits, takes, sleeps, pauses, runs, reads};
    constexpr int COUNT = sizeof bodies / sizeof *bodies;
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++) pthread_create(&threads[i], nullptr, bodies[i], nullptr);
    bool good = true;
    for (pthread_t thread : threads) {
        void *result = nullptr;
        good = pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && good;
    }
    // Who was cancelled before it began has nothing to clean.
    return verdict(!good || cleaned > COUNT, "a thread was not cancelled");
}
