// The system under test: a lock for many threads. Put your own here.
#pragma once

#include <atomic>

class Lock {
public:
    // A lock that nobody holds; a buggy one is taken in two steps.
    explicit Lock(bool is_buggy) : is_buggy_(is_buggy) {}

    // Takes the lock; false if it is held.
    bool try_lock() {
        if (is_buggy_) return try_lock_in_two_steps();
        // Acquire: what the last holder did is visible to the next one.
        return !is_held_.exchange(true, std::memory_order_acquire);
    }

    // Gives the lock back. Only its holder may do that.
    void unlock() {
        // Release: what the holder did is visible to the next one.
        is_held_.store(false, std::memory_order_release);
    }

private:
    // The bug: two threads may both see that nobody holds the lock.
    bool try_lock_in_two_steps() {
        if (is_held_.load(std::memory_order_acquire)) return false;
        is_held_.store(true, std::memory_order_relaxed);
        return true;
    }

    std::atomic<bool> is_held_{false};
    const bool is_buggy_;
};
