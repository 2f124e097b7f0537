// Actions as types: calls that turn out to be one of several actions, actions that nothing is called for, actions that
// are not bound yet. With `unbound` as first argument, nothing is.
#include <omnilink.hpp>

#include <cstring>

namespace spec {

struct Read {
    int key;
    std::string value;
};

struct Miss {
    int key;
    bool again;
};

struct Clear {};

struct Grow {
    int by;
};

}  // namespace spec

template <>
struct omnilink::ActionTraits<spec::Read> {
    static constexpr std::string_view name = "Read";
    static constexpr std::array<std::string_view, 2> params = {"value", "key"};
    static auto values(const spec::Read &action) { return std::tie(action.value, action.key); }
};

template <>
struct omnilink::ActionTraits<spec::Miss> {
    static constexpr std::string_view name = "I!Miss";
    static constexpr std::array<std::string_view, 2> params = {"key", "again"};
    static auto values(const spec::Miss &action) { return std::tie(action.key, action.again); }
};

template <>
struct omnilink::ActionTraits<spec::Clear> {
    static constexpr std::string_view name = "Clear";
    static constexpr std::array<std::string_view, 0> params = {};
    static auto values(const spec::Clear &) { return std::tie(); }
};

template <>
struct omnilink::ActionTraits<spec::Grow> {
    static constexpr std::string_view name = "Grow";
    static constexpr std::array<std::string_view, 1> params = {"by"};
    static auto values(const spec::Grow &action) { return std::tie(action.by); }
};

struct System {};

struct State {
    int calls;
};

// Every third call finds nothing, and every fourth that is to clear does nothing.
struct Fuzzer : omnilink::Performer<System, State> {
    static State make_state(Start &start) { return State{static_cast<int>(start.thread) * 1000}; }

    static Performed<spec::Read, spec::Miss> perform(Kind<spec::Read>, Context &cx) {
        const int key = ++cx.state.calls;
        cx.set("key", key);
        const bool found = cx.call([&] { return key % 1000 % 3 != 0; });
        if (!found) return spec::Miss{key, true};
        return spec::Read{key, "value " + std::to_string(key)};
    }

    static Unsupported perform(Kind<spec::Miss>, Context &) { return unsupported; }

    static Performed<spec::Clear> perform(Kind<spec::Clear>, Context &cx) {
        if (++cx.state.calls % 4 == 0) return unsupported;
        return spec::Clear{};
    }

    static Unsupported perform(Kind<spec::Grow>, Context &) { return unsupported; }
};

struct Unbound : omnilink::Performer<System> {
    template <class A>
    static Unsupported perform(Kind<A>, Context &) { return unsupported; }
};

static_assert(omnilink::performs<Fuzzer, spec::Grow> && !omnilink::performs<Fuzzer, int>);

template <class F>
static int run(int argc, char **argv) {
    auto fuzz = omnilink::fuzz_actions<F, spec::Read, spec::Miss, spec::Clear, spec::Grow>("Cache", "Step");
    return fuzz.main(argc, argv);
}

int main(int argc, char **argv) {
    if (argc > 1 && std::strcmp(argv[1], "unbound") == 0) return run<Unbound>(argc - 1, argv + 1);
    return run<Fuzzer>(argc, argv);
}
