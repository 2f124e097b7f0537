// Buggy: an increment that is a load and a store. One preemption between the two loses a count.
#include "subject.hpp"
#include <atomic>
#include <thread>
#include <vector>

std::atomic<uint32_t> counter{0}, sink{0};

int main(int argc, char **argv) {
    const int rounds = argument(argc, argv, 1, 20), count = argument(argc, argv, 2, 2);
    std::vector<std::thread> threads;
    for (int t = 0; t < count; t++)
        threads.emplace_back([=] {
            uint32_t x = t + 1;
            for (int i = 0; i < rounds; i++) {
                x = work(x, 80);
                uint32_t seen = counter.load(std::memory_order_relaxed);
                counter.store(seen + 1, std::memory_order_relaxed);
            }
            sink += x;
        });
    for (auto &thread : threads) thread.join();
    return verdict(counter != uint32_t(rounds * count), "lost counts");
}
