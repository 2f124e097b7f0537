// A fuzzer for size_approx: threads enqueue without a token, dequeue, and ask for the size. Every call is recorded as an
// action of Sizes.tla.
#include <concurrentqueue/concurrentqueue.h>

#include <cstdint>

#include <omnilink.hpp>

using Queue = moodycamel::ConcurrentQueue<std::int64_t>;

// What a thread enqueues next.
struct Producer {
    std::int64_t number = 0;
    std::int64_t next = 0;
};

int main(int argc, char **argv) {
    omnilink::Fuzz<Queue, Producer> fuzz("Sizes", [](omnilink::Start<Queue> &start) {
        const auto number = static_cast<std::int64_t>(start.thread);
        return Producer{number, number * 1'000'000};
    });
    fuzz.action("Enqueue", {"producer", "elem"}, [](auto &cx) {
        const auto elem = cx.state.next++;
        cx.set("producer", cx.state.number);
        cx.set("elem", elem);
        cx.call([&] { cx.system.enqueue(elem); });
        return omnilink::done;
    });
    fuzz.action("Dequeue", {"elem"}, [](auto &cx) {
        std::int64_t elem = 0;
        if (!cx.call([&] { return cx.system.try_dequeue(elem); })) return omnilink::unsupported;
        cx.set("elem", elem);
        return omnilink::done;
    });
    fuzz.action("Size", {"size"}, [](auto &cx) {
        const auto size = cx.call([&] { return cx.system.size_approx(); });
        cx.set("size", size);
        return omnilink::done;
    });
    fuzz.results({{"Dequeue", "elem"}, {"Size", "size"}});
    return fuzz.main(argc, argv);
}
