// A fuzzer for Stack: threads push and pop at random, and every call is recorded as an action of Stack.tla.
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "actions.hpp"
#include "stack.hpp"

// What each thread keeps to itself: its nodes, and its own numbers to push, counting up. No element is ever pushed
// twice, so a pop tells exactly which push it belongs to.
struct Pusher {
    // Numbers of different threads are this far apart, which also makes them easy to read.
    static constexpr std::int64_t share = 1'000'000'000;

    std::int64_t next;
    OwnNodes own = {};
};

struct Fuzzer : omnilink::Performer<Stack, Pusher> {
    static Pusher make_state(Start &start) { return {static_cast<std::int64_t>(start.thread) * Pusher::share}; }

    static Performed<spec::Push> perform(Kind<spec::Push>, Context &cx) {
        const auto elem = cx.state.next;
        cx.set("elem", elem);
        const bool pushed = cx.call([&] { return cx.system.push(elem, cx.state.own); });
        if (!pushed) return unsupported;
        cx.state.next++;
        return spec::Push{elem};
    }

    // The result decides. That the stack was empty is recorded as well: it is a claim about the stack, and can be
    // wrong.
    static Performed<spec::Pop, spec::PopEmpty> perform(Kind<spec::Pop>, Context &cx) {
        const auto elem = cx.call([&] { return cx.system.pop(cx.state.own); });
        if (!elem) return spec::PopEmpty{};
        return spec::Pop{*elem};
    }

    // Recorded by the function of Pop.
    static Unsupported perform(Kind<spec::PopEmpty>, Context &) { return unsupported; }
};

// What was given for an option, one of two values; the first if nothing was.
static bool is_second(const omnilink::Options &options, const std::string &name, const std::string &first,
                      const std::string &second) {
    const auto value = options.get(name).value_or(first);
    if (value != first && value != second) {
        throw std::invalid_argument("--" + name + ": `" + value + "` is neither " + first + " nor " + second);
    }
    return value == second;
}

static std::unique_ptr<Stack> make_stack(const omnilink::Options &options) {
    const auto head = is_second(options, "head", "counted", "plain") ? Head::plain : Head::counted;
    std::function<void()> window;
    if (is_second(options, "window", "short", "long")) window = [] { std::this_thread::yield(); };
    return std::make_unique<Stack>(head, window);
}

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.option("head", "KIND", "what the stack's head tells: counted (correct) or plain (ABA) [default: counted]");
    fuzz.option("window", "KIND", "whether pops let others run where it matters: short or long [default: short]");
    return fuzz.main(argc, argv, make_stack);
}
