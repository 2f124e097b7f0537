// A fuzzer for Lock: threads take and release it at random, and every call is recorded as an action of Lock.tla.
#include "actions.hpp"

#include <memory>

#include "lock.hpp"

// What a thread knows of itself.
struct Thread {
    std::int64_t number = 0;
    bool holds = false;
};

struct Fuzzer : omnilink::Performer<Lock, Thread> {
    static Thread make_state(Start &start) { return Thread{static_cast<std::int64_t>(start.thread), false}; }

    // The result decides which action it was.
    static Performed<spec::Acquire, spec::Busy> perform(Kind<spec::Acquire>, Context &cx) {
        if (cx.state.holds) return unsupported;
        const auto thread = cx.state.number;
        cx.set("thread", thread);
        cx.state.holds = cx.call([&] { return cx.system.try_lock(); });
        if (!cx.state.holds) return spec::Busy{thread};
        return spec::Acquire{thread};
    }

    // Recorded by the function above.
    static Unsupported perform(Kind<spec::Busy>, Context &) { return unsupported; }

    static Performed<spec::Release> perform(Kind<spec::Release>, Context &cx) {
        if (!cx.state.holds) return unsupported;
        const auto thread = cx.state.number;
        cx.set("thread", thread);
        cx.call([&] { cx.system.unlock(); });
        cx.state.holds = false;
        return spec::Release{thread};
    }
};

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.flag("buggy", "the lock with a bug");
    // No parameter is something that a call returns.
    fuzz.results({});
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        return std::make_unique<Lock>(options.is_set("buggy"));
    });
}
