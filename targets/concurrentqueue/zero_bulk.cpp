// The smallest program that crashes: the queue as it comes, and no OmniLink.
//
// One thread enqueues an element without a token and dequeues it again. The other one asks for up to zero elements.
#include <concurrentqueue/concurrentqueue.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

int main() {
    moodycamel::ConcurrentQueue<int> queue;
    std::atomic<bool> over{false};
    std::thread asking([&] {
        int none = 0;
        while (!over.load(std::memory_order_relaxed)) queue.try_dequeue_bulk(&none, 0);
    });
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < deadline) {
        int elem = 0;
        queue.enqueue(elem);
        queue.try_dequeue(elem);
    }
    over = true;
    asking.join();
    std::puts("no crash in 20 seconds");
}
