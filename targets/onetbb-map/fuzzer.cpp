// A fuzzer for oneTBB's concurrent_hash_map: threads insert, replace, look up and erase few keys, so that they meet. Every
// call is recorded as an action of Map.tla. An accessor is a lock on one key; its call lasts until it is given back.
#include <oneapi/tbb/concurrent_hash_map.h>

#include <optional>
#include <utility>

#include "actions.hpp"

using Map = tbb::concurrent_hash_map<std::int64_t, std::int64_t>;

// What a thread writes next. No value is written twice.
struct State {
    std::int64_t next;
};

struct Fuzzer : omnilink::Performer<Map, State> {
    static State make_state(Start &start) { return {static_cast<std::int64_t>(start.thread) * 1'000'000'000}; }

    static Performed<spec::Insert, spec::InsertExists> perform(Kind<spec::Insert>, Context &cx) {
        const auto key = any_key(cx);
        const auto value = cx.state.next++;
        cx.set("value", value);
        if (!cx.call([&] { return cx.system.insert(std::make_pair(key, value)); })) return spec::InsertExists{key};
        return spec::Insert{key, value};
    }

    static Performed<spec::Replace, spec::Missing> perform(Kind<spec::Replace>, Context &cx) {
        const auto key = any_key(cx);
        const auto value = cx.state.next++;
        cx.set("new", value);
        const auto old = cx.call([&]() -> std::optional<std::int64_t> {
            Map::accessor found;
            if (!cx.system.find(found, key)) return std::nullopt;
            return std::exchange(found->second, value);
        });
        if (!old) return spec::Missing{key};
        return spec::Replace{key, *old, value};
    }

    static Performed<spec::Get, spec::Missing> perform(Kind<spec::Get>, Context &cx) {
        const auto key = any_key(cx);
        const auto value = cx.call([&]() -> std::optional<std::int64_t> {
            Map::const_accessor found;
            if (!cx.system.find(found, key)) return std::nullopt;
            return found->second;
        });
        if (!value) return spec::Missing{key};
        return spec::Get{key, *value};
    }

    static Performed<spec::Erase, spec::EraseMissing> perform(Kind<spec::Erase>, Context &cx) {
        const auto key = any_key(cx);
        if (!cx.call([&] { return cx.system.erase(key); })) return spec::EraseMissing{key};
        return spec::Erase{key};
    }

    // Recorded by the functions above.
    static Unsupported perform(Kind<spec::InsertExists>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::Missing>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::EraseMissing>, Context &) { return unsupported; }

private:
    static std::int64_t any_key(Context &cx) {
        const auto key = cx.random.range<std::int64_t>(0, 7);
        cx.set("key", key);
        return key;
    }
};

int main(int argc, char **argv) { return fuzz_spec<Fuzzer>().main(argc, argv); }
