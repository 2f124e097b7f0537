// The system under test: a map from keys to values for many threads. Put your own here.
//
// It has several shards, each with a lock of its own, so that threads with different keys seldom wait for each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

class Map {
public:
    // An empty map; a buggy one inserts in two steps.
    explicit Map(bool is_buggy) : is_buggy_(is_buggy) {}

    // Adds a value; false if the key has one already, which stays.
    bool insert(std::int64_t key, std::int64_t value) {
        if (is_buggy_) return insert_in_two_steps(key, value);
        auto &shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        return shard.values.emplace(key, value).second;
    }

    // The value of a key.
    std::optional<std::int64_t> get(std::int64_t key) {
        auto &shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        const auto found = shard.values.find(key);
        if (found == shard.values.end()) return std::nullopt;
        return found->second;
    }

    // Takes a key and its value away.
    std::optional<std::int64_t> remove(std::int64_t key) {
        auto &shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        const auto found = shard.values.find(key);
        if (found == shard.values.end()) return std::nullopt;
        const auto value = found->second;
        shard.values.erase(found);
        return value;
    }

private:
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::int64_t, std::int64_t> values;
    };

    // The bug: between the two steps another thread may insert a value, which is then replaced.
    bool insert_in_two_steps(std::int64_t key, std::int64_t value) {
        if (get(key)) return false;
        auto &shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        shard.values[key] = value;
        return true;
    }

    Shard &shard_of(std::int64_t key) { return shards_[static_cast<std::size_t>(key) % shards_.size()]; }

    std::array<Shard, 4> shards_;
    const bool is_buggy_;
};
