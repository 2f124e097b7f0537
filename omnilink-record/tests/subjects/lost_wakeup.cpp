// Buggy: the flag is checked outside the lock that the notification is made under. If the notification comes between check
// and wait, nobody wakes the waiter: a deadlock.
#include "subject.hpp"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready{false};

int main() {
    std::thread waiter([] {
        if (!ready.load()) {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock);
        }
    });
    std::thread notifier([] {
        ready.store(true);
        std::lock_guard<std::mutex> lock(mutex);
        changed.notify_one();
    });
    waiter.join(), notifier.join();
}
