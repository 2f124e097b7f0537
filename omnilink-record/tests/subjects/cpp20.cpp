// Correct: what C++20 has for threads.
#include "subject.hpp"
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

constexpr int THREADS = 4, ROUNDS = 3;

int main() {
    std::atomic<int> turn{0}, phases{0}, inside{0};
    std::latch ready{THREADS};
    std::barrier round{THREADS, [&]() noexcept { phases++; }};
    std::counting_semaphore<2> places{2};
    bool crowded = false;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < THREADS; t++)
            threads.emplace_back([&, t] {
                ready.arrive_and_wait();
                for (int r = 0; r < ROUNDS; r++) {
                    places.acquire();
                    if (++inside > 2) crowded = true;
                    inside--;
                    places.release();
                    round.arrive_and_wait();
                }
                for (int seen = turn; seen != t; seen = turn) turn.wait(seen);
                turn = t + 1;
                turn.notify_all();
            });
    }
    std::jthread endless([](std::stop_token stop) { while (!stop.stop_requested()) std::this_thread::yield(); });
    endless.request_stop();
    endless.join();
    return turn == THREADS && phases == ROUNDS && !crowded ? 0 : 1;
}
