// The system under test: a first-in, first-out queue for many threads. Put your own here.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

class Queue {
public:
    // An empty queue; a buggy one takes elements in two steps.
    explicit Queue(bool is_buggy) : is_buggy_(is_buggy) {}

    // Appends an element.
    void push(std::int64_t elem) {
        const std::lock_guard lock(mutex_);
        elems_.push_back(elem);
    }

    // Takes the oldest element.
    std::optional<std::int64_t> pop() {
        if (is_buggy_) return pop_in_two_steps();
        const std::lock_guard lock(mutex_);
        if (elems_.empty()) return std::nullopt;
        const auto oldest = elems_.front();
        elems_.pop_front();
        return oldest;
    }

private:
    // The bug: between the two steps another thread may take the same element.
    std::optional<std::int64_t> pop_in_two_steps() {
        std::int64_t oldest = 0;
        {
            const std::lock_guard lock(mutex_);
            if (elems_.empty()) return std::nullopt;
            oldest = elems_.front();
        }
        const std::lock_guard lock(mutex_);
        if (!elems_.empty()) elems_.pop_front();
        return oldest;
    }

    std::mutex mutex_;
    std::deque<std::int64_t> elems_;
    const bool is_buggy_;
};
