// When things happen: the logical clock that timestamps come from, and the gate that is closed to roll back to stable.
#ifndef TIMES_HPP
#define TIMES_HPP

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

using Time = std::int64_t;
using Key = std::int64_t;

// No timestamp: of a transaction that reads the newest, or is not prepared.
constexpr Time never = 0;

// The clock of all threads. WiredTiger asks its users for some care: a commit must be later than the stable time and
// than every timestamp that somebody reads at, and a key's commits must be in order. So whoever draws a time to commit
// at promises it to the others until the call is over, and nobody reads at, or declares stable, a time that is promised
// or to come.
class Clock {
public:
    explicit Clock(std::size_t threads) : promised_(threads, never) {}

    // A time for a thread to commit or prepare at, not earlier than any that was drawn before, and as `floor_of` says
    // for the keys that it writes. Some are drawn twice.
    Time promise(std::size_t thread, bool again, const std::set<Key> &keys = {}) {
        const std::lock_guard lock(mutex_);
        Time time = again ? now_ : ++now_;
        if (time < floor_of(keys)) time = ++now_;
        return promised_[thread] = time;
    }

    // A time after all others, for a thread that has promised an earlier one.
    Time later() {
        const std::lock_guard lock(mutex_);
        return ++now_;
    }

    // Whether a time that was promised before is still late enough for these keys.
    bool is_in_order(Time time, const std::set<Key> &keys) {
        const std::lock_guard lock(mutex_);
        return time >= floor_of(keys);
    }

    // From now on these keys may be written only as of this time or later.
    void raise(const std::set<Key> &keys, Time time) {
        const std::lock_guard lock(mutex_);
        for (const auto key : keys) floors_[key] = std::max(floors_[key], time);
    }

    // The call is over.
    void fulfil(std::size_t thread) {
        const std::lock_guard lock(mutex_);
        promised_[thread] = never;
    }

    // The latest time that nobody can commit at any more. It never goes back.
    Time settled() {
        const std::lock_guard lock(mutex_);
        Time earliest = now_;
        for (const auto time : promised_) {
            if (time != never) earliest = std::min(earliest, time);
        }
        return earliest - 1;
    }

private:
    Time floor_of(const std::set<Key> &keys) {
        Time floor = never;
        for (const auto key : keys) floor = std::max(floor, floors_[key]);
        return floor;
    }

    std::mutex mutex_;
    Time now_ = 2;
    std::vector<Time> promised_;
    std::map<Key, Time> floors_;
};

// Lets transactions in, unless somebody needs that there are none.
class Gate {
public:
    void enter() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !is_closed_; });
        ++inside_;
    }

    void leave() {
        const std::lock_guard lock(mutex_);
        --inside_;
        changed_.notify_all();
    }

    // Says that somebody will never leave: there is no closing the gate any more.
    void stay_forever() {
        const std::lock_guard lock(mutex_);
        is_occupied_ = true;
        changed_.notify_all();
    }

    // Waits until nobody is inside, and lets nobody in. False if that will never be.
    bool close() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !is_closed_ || is_occupied_; });
        if (is_occupied_) return false;
        is_closed_ = true;
        changed_.wait(lock, [&] { return inside_ == 0 || is_occupied_; });
        is_closed_ = !is_occupied_;
        if (is_occupied_) changed_.notify_all();
        return is_closed_;
    }

    void open() {
        const std::lock_guard lock(mutex_);
        is_closed_ = false;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t inside_ = 0;
    bool is_closed_ = false;
    bool is_occupied_ = false;
};

#endif
