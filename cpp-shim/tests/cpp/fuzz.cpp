// A fuzzer that makes every kind of choice; the test has the same one in Rust.
#include <omnilink.hpp>

#include <atomic>
#include <cstdio>

struct System {
    explicit System(std::uint64_t start) : total(start) {}
    System(const System &) = delete;

    std::atomic<std::uint64_t> total;
    // Written while states are made, read by all threads afterwards: the loop orders this.
    std::vector<std::size_t> threads;
};

struct State {
    std::uint64_t drawn;
    std::uint64_t steps = 0;
};

using Fuzz = omnilink::Fuzz<System, State>;
using Cx = omnilink::Context<System, State>;

static State make_state(omnilink::Start<System> &start) {
    start.system.threads.push_back(start.thread);
    if (start.system.total == 13) throw std::runtime_error("no state today");
    return State{start.random.below(1000)};
}

static omnilink::Attempt numbers(Cx &cx) {
    const auto below = cx.random.below(1'000'000);
    const auto range = cx.random.range(-5, 5);
    cx.set("below", below);
    cx.set("range", range);
    cx.op.arg(2, cx.state.drawn);
    cx.state.steps += cx.system.threads.size() > 0;
    return omnilink::done;
}

static omnilink::Attempt items(Cx &cx) {
    cx.set("item", cx.random.pick({"a", "b", "c"}));
    const auto bytes = cx.random.bytes<3>();
    const auto unsigned_range = cx.random.range<std::uint64_t>(1, std::numeric_limits<std::uint64_t>::max());
    cx.set("bytes", bytes);
    cx.set("number", cx.random() ^ unsigned_range);
    return omnilink::done;
}

static omnilink::Attempt sometimes(Cx &cx) {
    if (!cx.random.chance(1, 3)) return omnilink::unsupported;
    cx.then("Items");
    return omnilink::done;
}

static omnilink::Attempt add(Cx &cx) {
    const auto by = cx.random.below(10);
    if (by == 0) {
        cx.choose("AddNothing");
        cx.op.abort("nothing to add");
        return omnilink::done;
    }
    cx.set("by", by);
    const bool added = cx.call([&] { return cx.system.total.fetch_add(by), true; });
    cx.choose("Add");
    cx.op.meta("added", added);
    return omnilink::done;
}

static omnilink::Attempt crash(Cx &cx) {
    cx.set("thread", cx.thread);
    return cx.call([]() -> omnilink::Attempt { throw std::runtime_error("crashed"); });
}

static Fuzz fuzzer() {
    Fuzz fuzz("Choices", make_state);
    fuzz.action("Numbers", {"below", "range", "state"}, numbers)
        .action("Items", {"item", "bytes", "number"}, items)
        .action("Sometimes", {}, sometimes)
        .choice("Adding", {{"Add", {"by"}}, {"AddNothing", {}}}, add)
        .results({{"Items", "number"}, {"Items", "bytes"}, {"Add", "by"}})
        .action("Crash", {"thread"}, crash)
        .weight("Crash", 0)
        .operations(50)
        .option("start", "N", "what the total starts with")
        .cleanup([](auto &end) {
            if (end.system.total == 14) throw std::runtime_error("no clean-up today");
            end.meta.set("thread", end.thread);
        });
    return fuzz;
}

// `run DIRECTORY` runs without command line and environment.
static int run(const char *directory) {
    Fuzz fuzz = fuzzer();
    fuzz.next_relation("Step").threads(1).total_operations(20).duration(std::chrono::minutes(1)).seed(5);
    fuzz.weight("Adding", 3).consecutive_failures(100).trace_directory(directory);
    System system(0);
    const omnilink::Report report = fuzz.run(system);
    std::printf("%s operations, %s events, seed %s, exit code %d\n", std::to_string(report.operations).c_str(),
                std::to_string(report.events).c_str(), std::to_string(report.seed).c_str(), report.exit_code);
    try {
        (void)fuzz.threads(0).run(system);
    } catch (const std::runtime_error &error) {
        std::printf("%s\n", error.what());
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && argv[1] == std::string("run")) return run(argv[2]);
    return fuzzer().main(argc, argv, [](const omnilink::Options &options) {
        const auto start = options.get("start");
        if (start == "seven") throw std::invalid_argument("--start: `seven` is not a number");
        return System(start ? std::stoull(*start) : options.seed() * 1000 + options.threads());
    });
}
