// Correct: threads are cancelled while they wait, and clean up.
#include "subject.hpp"
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned = 0;

static void clean(void *) {
    cleaned++;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_ever(void *) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, nullptr);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    return nullptr;
}

static void *sleep_for_ever(void *) {
    for (;;) pause();
    return nullptr;
}

int main() {
    pthread_t threads[3];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], nullptr, wait_for_ever, nullptr);
    pthread_create(&threads[2], nullptr, sleep_for_ever, nullptr);
    for (pthread_t thread : threads) {
        void *result = nullptr;
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED) return 1;
    }
    // A thread may be cancelled before it has locked anything.
    return cleaned <= 2 ? 0 : 1;
}
