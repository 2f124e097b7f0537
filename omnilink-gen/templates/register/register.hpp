// The system under test: a register that many threads read and write. Put your own here.
//
// Its value has two halves, as a value that is too large for one atomic variable would have. A sequence number tells
// readers whether a write came between (a seqlock): it is odd while one is going on.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

class Register {
public:
    // A register that holds 0; readers of a buggy one do not look whether a write came between.
    explicit Register(bool is_buggy) : is_buggy_(is_buggy) {}

    // Replaces the value.
    void write(std::int64_t value) {
        const std::lock_guard one_at_a_time(writers_);
        const auto before = sequence_.load(std::memory_order_relaxed);
        sequence_.store(before + 1, std::memory_order_relaxed);
        // Whoever sees one of the halves sees that the number is odd.
        std::atomic_thread_fence(std::memory_order_release);
        high_.store(static_cast<std::uint32_t>(value >> 32), std::memory_order_relaxed);
        low_.store(static_cast<std::uint32_t>(value), std::memory_order_relaxed);
        // Release: whoever sees the even number sees both halves.
        sequence_.store(before + 2, std::memory_order_release);
    }

    // What was written last.
    std::int64_t read() const {
        for (;;) {
            const auto before = sequence_.load(std::memory_order_acquire);
            const std::int64_t high = high_.load(std::memory_order_relaxed);
            const std::int64_t low = low_.load(std::memory_order_relaxed);
            // The halves are read before the number is read again.
            std::atomic_thread_fence(std::memory_order_acquire);
            const bool is_whole = before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before;
            // The bug: the halves may be those of different writes.
            if (is_whole || is_buggy_) return high << 32 | low;
            std::this_thread::yield();
        }
    }

private:
    std::atomic<std::uint64_t> sequence_{0};
    std::atomic<std::uint32_t> high_{0};
    std::atomic<std::uint32_t> low_{0};
    std::mutex writers_;
    const bool is_buggy_;
};
