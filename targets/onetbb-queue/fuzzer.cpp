// A fuzzer for oneTBB's concurrent_queue and concurrent_bounded_queue: threads push, pop and ask whether the queue is
// empty. Every call is recorded as an action of Queue.tla.
#include <oneapi/tbb/concurrent_queue.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include "actions.hpp"

using Unbounded = tbb::concurrent_queue<std::int64_t>;
using Bounded = tbb::concurrent_bounded_queue<std::int64_t>;

struct System {
    std::variant<Unbounded, Bounded> queue;

    bool push(std::int64_t elem) {
        if (auto *bounded = std::get_if<Bounded>(&queue)) return bounded->try_push(elem);
        std::get<Unbounded>(queue).push(elem);
        return true;
    }

    bool pop(std::int64_t &elem) {
        return std::visit([&](auto &any) { return any.try_pop(elem); }, queue);
    }

    bool empty() const {
        return std::visit([](const auto &any) { return any.empty(); }, queue);
    }
};

// What a thread pushes next. No element is pushed twice.
struct State {
    std::int64_t next;
};

struct Fuzzer : omnilink::Performer<System, State> {
    static State make_state(Start &start) { return {static_cast<std::int64_t>(start.thread) * 1'000'000'000}; }

    static Performed<spec::Push, spec::PushFull> perform(Kind<spec::Push>, Context &cx) {
        const auto elem = cx.state.next;
        cx.set("elem", elem);
        if (!cx.call([&] { return cx.system.push(elem); })) return spec::PushFull{};
        cx.state.next++;
        return spec::Push{elem};
    }

    static Performed<spec::Pop, spec::PopEmpty> perform(Kind<spec::Pop>, Context &cx) {
        std::int64_t elem = 0;
        if (!cx.call([&] { return cx.system.pop(elem); })) return spec::PopEmpty{};
        return spec::Pop{elem};
    }

    static Performed<spec::Empty> perform(Kind<spec::Empty>, Context &cx) {
        return spec::Empty{cx.call([&] { return cx.system.empty(); })};
    }

    // Recorded by the functions above.
    static Unsupported perform(Kind<spec::PushFull>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::PopEmpty>, Context &) { return unsupported; }
};

static std::unique_ptr<System> make_system(const omnilink::Options &options) {
    auto system = std::make_unique<System>();
    const auto kind = options.get("queue").value_or("unbounded");
    if (kind == "bounded") {
        // The capacity of Queue.cfg.
        system->queue.emplace<Bounded>().set_capacity(5);
    } else if (kind != "unbounded") {
        throw std::invalid_argument("--queue: `" + kind + "` is neither unbounded nor bounded");
    }
    return system;
}

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.option("queue", "KIND", "unbounded: concurrent_queue; bounded: concurrent_bounded_queue [default: unbounded]");
    return fuzz.main(argc, argv, make_system);
}
