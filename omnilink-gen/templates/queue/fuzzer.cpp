// A fuzzer for Queue: threads push and pop at random, and every call is recorded as an action of Queue.tla.
#include "actions.hpp"

#include <memory>

#include "queue.hpp"

// What a thread enqueues next. Threads have numbers of their own, so a dequeue tells which enqueue it belongs to.
struct Producer {
    std::int64_t next = 0;
};

struct Fuzzer : omnilink::Performer<Queue, Producer> {
    static Producer make_state(Start &start) { return Producer{static_cast<std::int64_t>(start.thread) * 1'000'000}; }

    static Performed<spec::Enqueue> perform(Kind<spec::Enqueue>, Context &cx) {
        const auto elem = cx.state.next++;
        cx.set("elem", elem);
        cx.call([&] { cx.system.push(elem); });
        return spec::Enqueue{elem};
    }

    // The result decides which action it was.
    static Performed<spec::Dequeue, spec::DequeueEmpty> perform(Kind<spec::Dequeue>, Context &cx) {
        const auto elem = cx.call([&] { return cx.system.pop(); });
        if (!elem) return spec::DequeueEmpty{};
        return spec::Dequeue{*elem};
    }

    // Recorded by the function above.
    static Unsupported perform(Kind<spec::DequeueEmpty>, Context &) { return unsupported; }
};

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.flag("buggy", "the queue with a bug");
    // More is taken than put in, so the queue stays short: threads meet at its ends, and runs are checked quickly.
    // The longer an element waits, the more orders of the calls before it are possible.
    fuzz.weight("Enqueue", 2).weight("Dequeue", 3);
    // Of all parameters, this is the one that the call returns.
    fuzz.results({{"Dequeue", "elem"}});
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        return std::make_unique<Queue>(options.is_set("buggy"));
    });
}
