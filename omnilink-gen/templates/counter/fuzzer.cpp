// A fuzzer for Counter: threads count and read at random, and every call is recorded as an action of Counter.tla.
#include "actions.hpp"

#include <memory>

#include "counter.hpp"

// Threads keep nothing to themselves.
struct State {};

struct Fuzzer : omnilink::Performer<Counter, State> {
    static Performed<spec::Increment> perform(Kind<spec::Increment>, Context &cx) {
        return spec::Increment{cx.call([&] { return cx.system.increment(); })};
    }

    static Performed<spec::Read> perform(Kind<spec::Read>, Context &cx) {
        return spec::Read{cx.call([&] { return cx.system.read(); })};
    }
};

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.flag("buggy", "the counter with a bug");
    // Of all parameters, these are the ones that the calls return.
    fuzz.results({{"Increment", "new"}, {"Read", "value"}});
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        return std::make_unique<Counter>(options.is_set("buggy"));
    });
}
