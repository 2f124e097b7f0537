// A fuzzer for moodycamel::ConcurrentQueue: every thread enqueues with a token of its own and without one, and dequeues
// in all ways that there are. Every call is recorded as an action of ConcurrentQueue.tla; the note `by` says which
// function it was.
#include <concurrentqueue/concurrentqueue.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "actions.hpp"

// Small blocks are filled and given back all the time, which is where the races are.
struct Traits : moodycamel::ConcurrentQueueDefaultTraits {
#ifdef BLOCK_SIZE_OF_QUEUE
    static constexpr std::size_t BLOCK_SIZE = BLOCK_SIZE_OF_QUEUE;
#endif
};

using Queue = moodycamel::ConcurrentQueue<std::int64_t, Traits>;
using Elems = std::vector<std::int64_t>;

// As in the specification: producer 3 has the elements from 3 * share on. Thread i is producer 2 * i with its token, and
// 2 * i + 1 without.
constexpr std::int64_t share = 1'000'000'000;

struct System {
    Queue queue;
    std::vector<moodycamel::ProducerToken> tokens;
    std::int64_t min_bulk = 1;
    std::int64_t max_bulk = 10;
};

struct State {
    std::int64_t thread;
    moodycamel::ConsumerToken consumer;
    std::int64_t calls = 0;
    // The call of size_approx that it is about to make.
    std::optional<std::int64_t> sizing = {};
    // How many elements it has enqueued with its token, and without.
    std::int64_t enqueued[2] = {0, 0};
};

struct Fuzzer : omnilink::Performer<System, State> {
    static State make_state(Start &start) {
        start.system.tokens.emplace_back(start.system.queue);
        return {static_cast<std::int64_t>(start.thread), moodycamel::ConsumerToken(start.system.queue)};
    }

    static Performed<spec::Enqueue> perform(Kind<spec::Enqueue>, Context &cx) {
        const Source source(cx);
        const auto elem = source.first;
        const auto &token = cx.system.tokens[cx.thread];
        auto &queue = cx.system.queue;
        const bool may_allocate = cx.random.chance(1, 2);
        cx.set("elem", elem);
        cx.op.meta("by", may_allocate ? "enqueue" : "try_enqueue");
        const bool enqueued = cx.call([&] {
            if (may_allocate) return source.has_token ? queue.enqueue(token, elem) : queue.enqueue(elem);
            return source.has_token ? queue.try_enqueue(token, elem) : queue.try_enqueue(elem);
        });
        source.ended(cx, enqueued, 1);
        return spec::Enqueue{elem};
    }

    static Performed<spec::EnqueueBulk> perform(Kind<spec::EnqueueBulk>, Context &cx) {
        const Source source(cx);
        const auto count = bulk(cx);
        const auto size = static_cast<std::size_t>(count);
        Elems elems(size);
        for (std::int64_t i = 0; i < count; i++) elems[static_cast<std::size_t>(i)] = source.first + i;
        const auto &token = cx.system.tokens[cx.thread];
        auto &queue = cx.system.queue;
        const bool may_allocate = cx.random.chance(1, 2);
        cx.set("elems", elems);
        cx.op.meta("by", may_allocate ? "enqueue_bulk" : "try_enqueue_bulk");
        const auto from = elems.begin();
        const bool enqueued = cx.call([&] {
            if (may_allocate) {
                return source.has_token ? queue.enqueue_bulk(token, from, size) : queue.enqueue_bulk(from, size);
            }
            return source.has_token ? queue.try_enqueue_bulk(token, from, size) : queue.try_enqueue_bulk(from, size);
        });
        source.ended(cx, enqueued, count);
        return spec::EnqueueBulk{std::move(elems)};
    }

    static Performed<spec::Dequeue, spec::DequeueEmpty> perform(Kind<spec::Dequeue>, Context &cx) {
        auto &queue = cx.system.queue;
        const bool has_token = cx.random.chance(1, 2);
        const auto call = begin(cx);
        cx.op.meta("by", has_token ? "try_dequeue with a token" : "try_dequeue");
        std::int64_t elem = 0;
        const bool found =
            cx.call([&] { return has_token ? queue.try_dequeue(cx.state.consumer, elem) : queue.try_dequeue(elem); });
        if (!found) return spec::DequeueEmpty{call};
        return spec::Dequeue{elem};
    }

    static Performed<spec::DequeueFrom, spec::DequeueFromEmpty> perform(Kind<spec::DequeueFrom>, Context &cx) {
        const auto producer = any_token(cx);
        const auto call = begin(cx);
        cx.set("producer", producer);
        cx.op.meta("by", "try_dequeue_from_producer");
        const auto &token = cx.system.tokens[static_cast<std::size_t>(producer / 2)];
        std::int64_t elem = 0;
        const bool found = cx.call([&] { return cx.system.queue.try_dequeue_from_producer(token, elem); });
        if (!found) return spec::DequeueFromEmpty{call, producer};
        return spec::DequeueFrom{producer, elem};
    }

    static Performed<spec::DequeueBulk, spec::DequeueEmpty, spec::DequeueNothing> perform(Kind<spec::DequeueBulk>,
                                                                                          Context &cx) {
        auto &queue = cx.system.queue;
        const auto max = bulk(cx);
        const auto size = static_cast<std::size_t>(max);
        const bool has_token = cx.random.chance(1, 2);
        const auto call = begin(cx);
        cx.set("max", max);
        cx.op.meta("by", has_token ? "try_dequeue_bulk with a token" : "try_dequeue_bulk");
        Elems elems(size);
        const auto to = elems.begin();
        const auto got = cx.call([&] {
            return has_token ? queue.try_dequeue_bulk(cx.state.consumer, to, size) : queue.try_dequeue_bulk(to, size);
        });
        elems.resize(got);
        if (max == 0) return spec::DequeueNothing{};
        if (elems.empty()) return spec::DequeueEmpty{call};
        return spec::DequeueBulk{max, std::move(elems)};
    }

    static Performed<spec::DequeueBulkFrom, spec::DequeueFromEmpty, spec::DequeueNothing> perform(
        Kind<spec::DequeueBulkFrom>, Context &cx) {
        const auto producer = any_token(cx);
        const auto max = bulk(cx);
        const auto size = static_cast<std::size_t>(max);
        const auto call = begin(cx);
        cx.set("producer", producer);
        cx.set("max", max);
        cx.op.meta("by", "try_dequeue_bulk_from_producer");
        const auto &token = cx.system.tokens[static_cast<std::size_t>(producer / 2)];
        Elems elems(size);
        const auto to = elems.begin();
        const auto got = cx.call([&] { return cx.system.queue.try_dequeue_bulk_from_producer(token, to, size); });
        elems.resize(got);
        if (max == 0) return spec::DequeueNothing{};
        if (elems.empty()) return spec::DequeueFromEmpty{call, producer};
        return spec::DequeueBulkFrom{producer, max, std::move(elems)};
    }

    // Two events: that a thread is about to ask for the size, and what it was told.
    static Performed<spec::SizeBegins> perform(Kind<spec::SizeBegins>, Context &cx) {
        const auto call = begin(cx);
        cx.state.sizing = call;
        cx.moment();
        cx.then("SizeApprox");
        return spec::SizeBegins{call};
    }

    static Performed<spec::SizeApprox> perform(Kind<spec::SizeApprox>, Context &cx) {
        if (!cx.state.sizing) return unsupported;
        const auto call = *std::exchange(cx.state.sizing, std::nullopt);
        cx.set("call", call);
        const auto size = cx.system.queue.size_approx();
        cx.moment();
        return spec::SizeApprox{call, static_cast<std::int64_t>(size)};
    }

    // Recorded by the functions above.
    static Unsupported perform(Kind<spec::DequeueEmpty>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::DequeueFromEmpty>, Context &) { return unsupported; }
    static Unsupported perform(Kind<spec::DequeueNothing>, Context &) { return unsupported; }

private:
    // Which of its two producers a thread enqueues as, and the first element to enqueue.
    struct Source {
        bool has_token;
        std::int64_t first;

        explicit Source(Context &cx) : has_token(cx.random.chance(1, 2)) {
            first = (2 * cx.state.thread + (has_token ? 0 : 1)) * share + cx.state.enqueued[has_token];
        }

        // Without room, nothing has happened: the same elements are tried again.
        void ended(Context &cx, bool enqueued, std::int64_t count) const {
            if (enqueued) {
                cx.state.enqueued[has_token] += count;
            } else {
                cx.op.abort("no room");
            }
        }
    };

    static std::int64_t bulk(Context &cx) { return cx.random.range(cx.system.min_bulk, cx.system.max_bulk); }

    // Any thread's producer with a token.
    static std::int64_t any_token(Context &cx) {
        return 2 * static_cast<std::int64_t>(cx.random.below(cx.system.tokens.size()));
    }

    // A number that no other call has.
    static std::int64_t begin(Context &cx) {
        const auto call = cx.state.thread * share + cx.state.calls++;
        cx.set("call", call);
        return call;
    }
};

static std::int64_t number(const omnilink::Options &options, const std::string &name, std::int64_t otherwise) {
    const auto text = options.get(name);
    if (!text) return otherwise;
    std::size_t end = 0;
    std::int64_t value = -1;
    try {
        value = std::stoll(*text, &end);
    } catch (const std::exception &) {
    }
    if (end != text->size() || value < 0 || value > 1000) {
        throw std::invalid_argument("--" + name + ": `" + *text + "` is no number from 0 to 1000");
    }
    return value;
}

static std::unique_ptr<System> make_system(const omnilink::Options &options) {
    auto system = std::make_unique<System>();
    system->min_bulk = number(options, "min-bulk", system->min_bulk);
    system->max_bulk = number(options, "max-bulk", system->max_bulk);
    if (system->max_bulk < system->min_bulk) throw std::invalid_argument("--max-bulk is less than --min-bulk");
    return system;
}

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    // It is never drawn: it comes after SizeBegins.
    fuzz.weight("SizeApprox", 0);
    fuzz.option("min-bulk", "N", "how many elements a bulk operation asks for at least [default: 1]");
    fuzz.option("max-bulk", "N", "and at most [default: 10]");
    return fuzz.main(argc, argv, make_system);
}
