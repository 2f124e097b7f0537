// A fuzzer for Map: threads insert, look up and remove at random, and every call is recorded as an action of Map.tla.
#include "actions.hpp"

#include <memory>

#include "map.hpp"

// Threads keep nothing to themselves.
struct State {};

struct Fuzzer : omnilink::Performer<Map, State> {
    // A key, as Keys in Map.cfg says. Few keys: threads are to meet.
    static std::int64_t any_key(Context &cx) {
        const auto key = cx.random.range(std::int64_t{1}, std::int64_t{3});
        cx.set("key", key);
        return key;
    }

    // The result decides which action it was.
    static Performed<spec::Insert, spec::InsertPresent> perform(Kind<spec::Insert>, Context &cx) {
        const auto key = any_key(cx);
        // As Values in Map.cfg says.
        const auto value = cx.random.range(std::int64_t{1}, std::int64_t{9});
        cx.set("value", value);
        const bool is_new = cx.call([&] { return cx.system.insert(key, value); });
        if (!is_new) return spec::InsertPresent{key, value};
        return spec::Insert{key, value};
    }

    static Performed<spec::Get, spec::GetMissing> perform(Kind<spec::Get>, Context &cx) {
        const auto key = any_key(cx);
        const auto value = cx.call([&] { return cx.system.get(key); });
        if (!value) return spec::GetMissing{key};
        return spec::Get{key, *value};
    }

    static Performed<spec::Remove, spec::RemoveMissing> perform(Kind<spec::Remove>, Context &cx) {
        const auto key = any_key(cx);
        const auto value = cx.call([&] { return cx.system.remove(key); });
        if (!value) return spec::RemoveMissing{key};
        return spec::Remove{key, *value};
    }

    // Recorded by the functions above.
    static Unsupported perform(Kind<spec::InsertPresent>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::GetMissing>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::RemoveMissing>, Context &) { return unsupported; }
};

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.flag("buggy", "the map with a bug");
    // Of all parameters, these are the ones that the calls return.
    fuzz.results({{"Get", "value"}, {"Remove", "value"}});
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        return std::make_unique<Map>(options.is_set("buggy"));
    });
}
