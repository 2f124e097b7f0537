// Correct: mutexes of every kind: robust ones whose owner dies, ones that inherit priorities, both, shared ones; with
// timeouts. And waiting by a newer call of the kernel, where it is there.
#include "subject.hpp"
#include <atomic>
#include <cerrno>
#include <ctime>
#include <initializer_list>
#include <pthread.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr int THREADS = 3, ROUNDS = 10;

struct Kind {
    int protocol, robustness, sharing;
};

struct Mutex {
    pthread_mutex_t handle;

    explicit Mutex(Kind kind) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setprotocol(&attributes, kind.protocol);
        pthread_mutexattr_setrobust(&attributes, kind.robustness);
        pthread_mutexattr_setpshared(&attributes, kind.sharing);
        if (pthread_mutex_init(&handle, &attributes)) std::abort();
    }
};

// Everybody counts under the mutex; some try with a timeout that never comes.
bool excludes(Kind kind) {
    Mutex mutex(kind);
    int counter = 0;
    std::atomic<bool> good{true};
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&, t] {
            for (int i = 0; i < ROUNDS; i++) {
                timespec end;
                clock_gettime(CLOCK_REALTIME, &end), end.tv_sec += 1000000;
                if (t == 0 ? pthread_mutex_timedlock(&mutex.handle, &end) : pthread_mutex_lock(&mutex.handle)) good = false;
                counter++;
                if (pthread_mutex_unlock(&mutex.handle)) good = false;
            }
        });
    for (auto &thread : threads) thread.join();
    return good && counter == THREADS * ROUNDS;
}

// A wait for a mutex that is never free ends when its time is over, and not before.
bool gives_up(Kind kind) {
    Mutex mutex(kind);
    pthread_mutex_lock(&mutex.handle);
    bool good = false;
    std::thread([&] {
        timespec end, now;
        clock_gettime(CLOCK_REALTIME, &end), end.tv_sec += 1;
        good = pthread_mutex_trylock(&mutex.handle) == EBUSY && pthread_mutex_timedlock(&mutex.handle, &end) == ETIMEDOUT;
        clock_gettime(CLOCK_REALTIME, &now);
        good = good && now.tv_sec >= end.tv_sec;
    }).join();
    return pthread_mutex_unlock(&mutex.handle) == 0 && good;
}

// The owner ends; exactly one of those who wait, or come later, is told that it died, and puts things right.
bool survives_its_owner(Kind kind) {
    Mutex mutex(kind);
    std::atomic<int> told{0}, got{0};
    std::atomic<bool> held{false};
    std::thread owner([&] { pthread_mutex_lock(&mutex.handle), held = true; });
    std::vector<std::thread> heirs;
    for (int t = 0; t < THREADS; t++)
        heirs.emplace_back([&] {
            while (!held) sched_yield();
            const int answer = pthread_mutex_lock(&mutex.handle);
            if (answer == EOWNERDEAD) told++, pthread_mutex_consistent(&mutex.handle);
            if (answer == 0 || answer == EOWNERDEAD) got++, pthread_mutex_unlock(&mutex.handle);
        });
    owner.join();
    for (auto &heir : heirs) heir.join();
    return told == 1 && got == THREADS;
}

// Waits for one of several words by `futex_waitv`, of which older kernels know nothing.
bool waits_for_several() {
    constexpr long FUTEX_WAITV = 449, FUTEX = SYS_futex, WAKE = 1, WORD_IS_32_BITS = 2;
    struct Waiter {
        uint64_t value, address;
        uint32_t flags, reserved;
    };
    std::atomic<uint32_t> word{0};
    std::atomic<bool> done{false};
    bool good = false;
    std::thread waiter([&] {
        Waiter list{0, reinterpret_cast<uint64_t>(&word), WORD_IS_32_BITS, 0};
        const long answer = syscall(FUTEX_WAITV, &list, 1, 0, nullptr, 0);
        good = answer == 0 || (answer == -1 && (errno == ENOSYS || errno == EAGAIN));
        done = true;
    });
    word = 1;
    while (!done) syscall(FUTEX, &word, WAKE, 1, nullptr, nullptr, 0), sched_yield();
    waiter.join();
    return good;
}

int main() {
    bool good = true;
    for (int protocol : {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT})
        for (int robustness : {PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST})
            for (int sharing : {PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED}) {
                const Kind kind{protocol, robustness, sharing};
                const bool fine = excludes(kind) && gives_up(kind)
                    && (robustness == PTHREAD_MUTEX_STALLED || survives_its_owner(kind));
                if (!fine) std::printf("protocol %d, robustness %d, sharing %d\n", protocol, robustness, sharing);
                good = good && fine;
            }
    return verdict(!good || !waits_for_several(), "a mutex does not what it should");
}
