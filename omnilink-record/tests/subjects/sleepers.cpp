// Correct: threads that sleep, wait with timeouts and read clocks. No wait ends before its time.
#include "subject.hpp"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
std::atomic<bool> early{false};
std::mutex mutex;
std::condition_variable never;

template <class Wait> void takes_at_least(Clock::duration time, Wait wait) {
    const auto begin = Clock::now();
    wait();
    if (Clock::now() - begin < time) early = true;
}

int main() {
    std::vector<std::thread> threads;
    for (int t = 1; t <= 4; t++)
        threads.emplace_back([=] {
            for (int i = 0; i < 5; i++) {
                takes_at_least(t * 10ms, [=] { std::this_thread::sleep_for(t * 10ms); });
                takes_at_least(t * 1s, [=] {
                    std::unique_lock<std::mutex> lock(mutex);
                    if (never.wait_for(lock, t * 1s) != std::cv_status::timeout) early = true;
                });
                takes_at_least(t * 1h, [=] { std::this_thread::sleep_until(Clock::now() + t * 1h); });
            }
        });
    for (auto &thread : threads) thread.join();
    return verdict(early, "a wait ended before its time");
}
