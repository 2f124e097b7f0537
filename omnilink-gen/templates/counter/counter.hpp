// The system under test: a counter that many threads share. Put your own here.
#pragma once

#include <atomic>
#include <cstdint>

class Counter {
public:
    // A counter at 0; a buggy one counts in two steps.
    explicit Counter(bool is_buggy) : is_buggy_(is_buggy) {}

    // Counts, and returns the new value.
    std::int64_t increment() {
        if (is_buggy_) return increment_in_two_steps();
        // Relaxed: the count orders nothing but itself.
        return count_.fetch_add(1, std::memory_order_relaxed) + 1;
    }

    // How far it has counted.
    std::int64_t read() const { return count_.load(std::memory_order_relaxed); }

private:
    // The bug: what other threads count between the two steps is lost.
    std::int64_t increment_in_two_steps() {
        const auto next = count_.load(std::memory_order_relaxed) + 1;
        count_.store(next, std::memory_order_relaxed);
        return next;
    }

    std::atomic<std::int64_t> count_{0};
    const bool is_buggy_;
};
