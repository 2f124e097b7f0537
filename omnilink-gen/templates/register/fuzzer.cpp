// A fuzzer for Register: threads read and write at random, and every call is recorded as an action of Register.tla.
#include "actions.hpp"

#include <memory>

#include "register.hpp"

// A number times this has the number in both halves.
constexpr std::int64_t halves = (std::int64_t{1} << 32) + 1;

// What a thread writes next. No two writes have the same value, nor a half of it.
struct Writer {
    std::int64_t next = 0;
};

struct Fuzzer : omnilink::Performer<Register, Writer> {
    static Writer make_state(Start &start) {
        return Writer{(static_cast<std::int64_t>(start.thread) + 1) * 1'000'000 * halves};
    }

    static Performed<spec::Write> perform(Kind<spec::Write>, Context &cx) {
        cx.state.next += halves;
        const auto next = cx.state.next;
        cx.set("new", next);
        cx.call([&] { cx.system.write(next); });
        return spec::Write{next};
    }

    static Performed<spec::Read> perform(Kind<spec::Read>, Context &cx) {
        return spec::Read{cx.call([&] { return cx.system.read(); })};
    }
};

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.flag("buggy", "the register with a bug");
    // Of all parameters, this is the one that the call returns.
    fuzz.results({{"Read", "result"}});
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        return std::make_unique<Register>(options.is_set("buggy"));
    });
}
