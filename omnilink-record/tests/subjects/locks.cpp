// Correct: spin barriers with and without `pause`, a ticket lock, pthread barriers, condition variables, shared mutexes.
#include "subject.hpp"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <vector>

constexpr int THREADS = 4;
std::atomic<int> go{0}, arrived{0}, ticket{0}, serving{0};
int by_ticket = 0, by_mutex = 0, turn = 0;
std::mutex mutex;
std::condition_variable changed;
std::shared_mutex shared;
pthread_barrier_t barrier;

void run(int me, int rounds) {
    while (!go.load()) {}
    arrived++;
    while (arrived.load() < THREADS) __builtin_ia32_pause();
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < rounds; i++) {
        const int mine = ticket.fetch_add(1);
        while (serving.load() != mine) __builtin_ia32_pause();
        by_ticket++;
        serving.store(mine + 1);
        {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [=] { return turn % THREADS == me; });
            turn++;
            changed.notify_all();
        }
        { std::shared_lock<std::shared_mutex> lock(shared); }
        std::unique_lock<std::shared_mutex> lock(shared);
        by_mutex++;
    }
}

int main(int argc, char **argv) {
    const int rounds = argument(argc, argv, 1, 10), each = THREADS * rounds;
    pthread_barrier_init(&barrier, nullptr, THREADS);
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++) threads.emplace_back(run, t, rounds);
    go = 1;
    for (auto &thread : threads) thread.join();
    return verdict(by_ticket != each || by_mutex != each || turn != each, "locks do not exclude");
}
