// Calls that come out in every way. Takes the trace directory as argument.
#include <omnilink.hpp>

#include <cstdio>
#include <thread>

static const omnilink::Site push("Push", {"elem", "tag"});
static const omnilink::Site pop({{"Pop", {"elem"}}, {"PopEmpty", {}}}, omnilink::Results{"elem"});

#define REQUIRE(condition)                                            \
    if (!(condition)) {                                               \
        std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
        std::exit(1);                                                 \
    }

template <class Body>
static std::string message_of(const Body &body) {
    try {
        body();
    } catch (const std::exception &error) {
        return error.what();
    } catch (...) {
        return "something else";
    }
    return "nothing";
}

struct Unspeakable {};

template <>
struct omnilink::ToTla<Unspeakable> {
    static void encode(Encoder &out, const Unspeakable &) {
        out.set([](Encoder &elements) {
            elements.integer(1);
            throw std::runtime_error("cannot be said");
        });
    }
};

// A result that can be neither copied nor moved.
struct Pinned {
    explicit Pinned(int elem) : value(elem) {}
    Pinned(const Pinned &) = delete;
    const int value;
};

static void return_early(bool early) {
    omnilink::Op op(push);
    if (early) return;
    op.end();
}

static void outcomes() {
    {
        omnilink::Op op(push);
        REQUIRE(op.is_recording());
        op.set("tag", "a");
        op.set("elem", 1);
        op.set("elem", 2);
        op.meta("state", std::vector<int>{1});
        omnilink::current::meta("again", true);
        op.end();
        REQUIRE(!op.is_recording());
        op.end();
    }
    {
        omnilink::Op op(push);
        op.arg(0, std::string("full"));
        op.abort("no room");
        op.end();
    }
    {
        omnilink::Op op(push);
        omnilink::current::refine_start();
        omnilink::current::abort("inside");
        omnilink::current::refine_end();
        op.end();
    }
    omnilink::Op(push).discard();
    return_early(true);
    REQUIRE(message_of([] {
                omnilink::Op op(push);
                op.set("elem", 3);
                throw std::runtime_error("boom");
            }) == "boom");
    REQUIRE(message_of([] {
                omnilink::Op op(push);
                op.call([] { throw std::runtime_error("boom"); });
                op.end();
            }) == "boom");
    REQUIRE(message_of([] {
                omnilink::Op op(push);
                op.call([] { throw 7; });
            }) == "something else");
    {
        omnilink::Op op(push);
        op.indeterminate("lost");
    }
}

static void results() {
    {
        omnilink::Op op = omnilink::Op::enter(pop);
        op.start();
        const int elem = op.call([] { return 5; });
        op.choose("Pop");
        op.set("elem", elem);
        op.end();
    }
    {
        omnilink::Op op(pop);
        const Pinned pinned = op.call([] { return Pinned(6); });
        op.choose(0);
        op.arg(0, pinned.value);
        op.refine_start();
        op.refine_end();
        op.end();
    }
    {
        omnilink::Op op(pop);
        int elem = 8;
        op.call([&]() -> int & { return elem; }) = 9;
        op.returned();
        op.choose("PopEmpty");
        op.end();
        REQUIRE(elem == 9);
    }
    {
        omnilink::Op waiting = omnilink::Op::enter_async(push);
        waiting.start();
        omnilink::Op moved = std::move(waiting);
        REQUIRE(!waiting.is_recording());
        moved.set("elem", 10);
        return_early(false);
        std::thread([&moved] { moved.end(); }).join();
    }
}

static void mistakes() {
    REQUIRE(message_of([] { omnilink::Site none({}); }) != "nothing");
    REQUIRE(message_of([] { omnilink::Site wrong("Pop", {"elem"}, omnilink::Results{"elm"}); }) ==
            "no parameter `elm`, there are: elem");
    omnilink::Op op(pop);
    REQUIRE(message_of([&] { op.set("key", 1); }) == "no parameter `key`, there are: elem");
    REQUIRE(message_of([&] { op.choose("Peek"); }) == "no action `Peek`, there are: Pop PopEmpty");
    REQUIRE(message_of([&] { op.set("elem", Unspeakable()); }) == "cannot be said");
    REQUIRE(message_of([&] { op.set("elem", std::vector<Unspeakable>(2)); }) == "cannot be said");
    REQUIRE(message_of([&] { op.meta("elem", Unspeakable()); }) == "cannot be said");
    op.choose("Pop");
    op.end();
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    omnilink::Op inert(push);
    REQUIRE(!inert.is_recording());
    inert.set("no such parameter", Unspeakable());
    inert.choose("nothing");
    REQUIRE(inert.call([] { return 1; }) == 1);
    inert.discard();

    const omnilink::SessionOptions options{argv[1], "Stack", "Next", {{"Push", {"elem", "tag"}}}, 7};
    omnilink::Session session(options);
    REQUIRE(message_of([&] { omnilink::Session second(options); }) != "nothing");
    std::thread([] {
        omnilink::open_lane("outcomes");
        outcomes();
        omnilink::terminate();
    }).join();
    std::thread([] {
        omnilink::open_lane("results");
        results();
        omnilink::terminate([](omnilink::Notes &notes) { notes.set("depth", 2); });
    }).join();
    std::thread([] {
        omnilink::open_lane("mistakes");
        mistakes();
        const auto fail = [](omnilink::Notes &) { throw std::runtime_error("late"); };
        REQUIRE(message_of([&] { omnilink::terminate(fail); }) == "late");
    }).join();
    const omnilink_summary summary = session.finish(3);
    std::printf("%llu events, stopped: %d\n", static_cast<unsigned long long>(summary.events), summary.stopped);
    return 3;
}
