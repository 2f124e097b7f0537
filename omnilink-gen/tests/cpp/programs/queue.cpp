// The queue's fuzzer with its actions bound; the test has the same one in Rust.
#include "actions.hpp"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

struct System {
    std::mutex mutex;
    std::deque<std::int64_t> elems;
    bool fails = false;

    void push(std::int64_t elem) {
        const std::lock_guard lock(mutex);
        elems.push_back(elem);
    }

    std::optional<std::int64_t> pop() {
        const std::lock_guard lock(mutex);
        if (fails) throw std::runtime_error("out of order");
        if (elems.empty()) return std::nullopt;
        const auto elem = elems.front();
        elems.pop_front();
        return elem;
    }
};

struct State {
    std::int64_t enqueued = 0;
};

struct Fuzzer : omnilink::Performer<System, State> {
    static State make_state(Start &start) { return State{static_cast<std::int64_t>(start.thread) * 1'000'000}; }

    static Performed<spec::Enqueue> perform(Kind<spec::Enqueue>, Context &cx) {
        if (cx.random.chance(1, 10)) return unsupported;
        const auto elem = ++cx.state.enqueued;
        cx.set("elem", elem);
        cx.call([&] { cx.system.push(elem); });
        return spec::Enqueue{elem};
    }

    static Performed<spec::Dequeue, spec::DequeueEmpty> perform(Kind<spec::Dequeue>, Context &cx) {
        const auto elem = cx.call([&] { return cx.system.pop(); });
        if (!elem) return spec::DequeueEmpty{};
        return spec::Dequeue{*elem};
    }

    static Unsupported perform(Kind<spec::DequeueEmpty>, Context &) { return unsupported; }
};

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.option("fail", "WHY", "let dequeuing fail");
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        auto system = std::make_unique<System>();
        system->fails = options.get("fail").has_value();
        return system;
    });
}
