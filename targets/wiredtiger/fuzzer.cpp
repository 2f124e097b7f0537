// A fuzzer for Storage: threads run transactions of WiredTiger at random, and every call is recorded as an action of
// Storage.tla.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "actions.hpp"
#include "storage.hpp"
#include "times.hpp"

using Status = spec::Statuses;

// What a call returned, in the words of the specification.
static Status status_of(int code) {
    switch (code) {
        case 0: return Status::OK;
        case WT_ROLLBACK: return Status::ROLLBACK;
        case WT_NOTFOUND: return Status::NOTFOUND;
        case WT_PREPARE_CONFLICT: return Status::PREPARE_CONFLICT;
        case EINVAL: return Status::EINVAL_;
        default: throw std::runtime_error(wiredtiger_strerror(code));
    }
}

// What the fuzzer does only if it is asked to, because WiredTiger's users should not.
struct Liberties {
    // Commit earlier than the time at which the previous value of a key is durable.
    bool overlap_durable;
    // Prepare a transaction that has had a conflict.
    bool prepare_failed;
};

// Shared by all threads.
struct System {
    System(const Database::Settings &settings, const Liberties &taken)
        : database(settings), clock(settings.sessions), liberties(taken) {}

    Database database;
    Clock clock;
    Gate gate;
    const Liberties liberties;

    // Held while one of these is set, so that they are set in order.
    std::mutex setting;
    Time stable = 1;
    Time oldest = 1;
};

struct Transaction {
    std::int64_t number;
    // The time that it has promised to commit or prepare at.
    Time promised = never;
    Time prepared = never;
    std::set<Key> written = {};
    bool failed = false;
};

// Of one thread.
struct Worker {
    // Numbers of different threads are this far apart.
    static constexpr std::int64_t share = 1'000'000'000;

    Session *session;
    std::int64_t next_number;
    std::optional<Transaction> transaction = std::nullopt;

    bool is_running() const { return transaction && transaction->prepared == never; }
    bool is_prepared() const { return transaction && transaction->prepared != never; }
};

struct Fuzzer : omnilink::Performer<System, Worker> {
    static constexpr Key keys = 16;

    static Worker make_state(Start &start) {
        return {&start.system.database.open_session(), static_cast<std::int64_t>(start.thread) * Worker::share + 1};
    }

    static Performed<spec::Begin> perform(Kind<spec::Begin>, Context &cx) {
        if (cx.state.transaction) return unsupported;
        cx.system.gate.enter();
        Transaction transaction{cx.state.next_number++};
        const Time read = read_time(cx);
        cx.set("txn", transaction.number);
        cx.set("read", read);
        const int code = call(cx, [&] { return cx.state.session->begin(read); });
        if (code == 0) {
            // Promised early, it is often later than those of transactions that commit before this one.
            if (cx.random.chance(1, 2)) transaction.promised = cx.system.clock.promise(cx.thread, often(cx));
            cx.state.transaction = transaction;
        } else {
            cx.system.gate.leave();
        }
        return spec::Begin{transaction.number, read, noted(cx, code)};
    }

    static Performed<spec::Read> perform(Kind<spec::Read>, Context &cx) {
        if (!cx.state.is_running() || is_tired(cx)) return unsupported;
        const Key key = some_key(cx);
        Value value = 0;
        const int code = call(cx, [&] { return cx.state.session->read(key, value); });
        cx.state.session->reset();
        return spec::Read{cx.state.transaction->number, key, value, noted(cx, code)};
    }

    static Performed<spec::Write> perform(Kind<spec::Write>, Context &cx) {
        if (!cx.state.is_running() || is_tired(cx)) return unsupported;
        const Key key = some_key(cx);
        const Value value = cx.state.next_number++;
        cx.set("value", value);
        const int code = call(cx, [&] { return cx.state.session->write(key, value); });
        return spec::Write{cx.state.transaction->number, key, value, modified(cx, key, code)};
    }

    static Performed<spec::Remove> perform(Kind<spec::Remove>, Context &cx) {
        if (!cx.state.is_running() || is_tired(cx)) return unsupported;
        const Key key = some_key(cx);
        const int code = call(cx, [&] { return cx.state.session->remove(key); });
        return spec::Remove{cx.state.transaction->number, key, modified(cx, key, code)};
    }

    static Performed<spec::Prepare> perform(Kind<spec::Prepare>, Context &cx) {
        if (!cx.state.is_running()) return unsupported;
        if (cx.state.transaction->failed && !cx.system.liberties.prepare_failed) return unsupported;
        auto &transaction = *cx.state.transaction;
        const Time prepare = time_to_commit(cx);
        cx.set("txn", transaction.number);
        cx.set("prepare", prepare);
        const int code = call(cx, [&] { return cx.state.session->prepare(prepare); });
        forget_promise(cx);
        if (code == 0) transaction.prepared = prepare;
        return spec::Prepare{transaction.number, prepare, noted(cx, code)};
    }

    static Performed<spec::Commit, spec::CommitRefused> perform(Kind<spec::Commit>, Context &cx) {
        if (!cx.state.is_running() || is_tired(cx)) return unsupported;
        const auto number = cx.state.transaction->number;
        const Time commit = time_to_commit(cx);
        cx.set("txn", number);
        cx.set("commit", commit);
        const int code = call(cx, [&] { return cx.state.session->commit(commit); });
        if (noted(cx, code) == Status::OK) {
            finish(cx);
            return spec::Commit{number, commit};
        }
        if (refusal_ends) {
            finish(cx);
        } else {
            forget_promise(cx);
        }
        return spec::CommitRefused{number, commit};
    }

    // Recorded by the function above.
    static Unsupported perform(Kind<spec::CommitRefused>, Context &) { return unsupported; }

    static Performed<spec::CommitPrepared> perform(Kind<spec::CommitPrepared>, Context &cx) {
        if (!cx.state.is_prepared()) return unsupported;
        const auto &transaction = *cx.state.transaction;
        const Time promised = cx.system.clock.promise(cx.thread, often(cx));
        const Time commit = cx.random.chance(1, 2) ? transaction.prepared : promised;
        const Time durable = cx.random.chance(1, 2)           ? promised
                             : cx.system.liberties.overlap_durable ? promised + cx.random.range<Time>(1, 8)
                                                             : cx.system.clock.later();
        cx.system.clock.raise(transaction.written, cx.system.liberties.overlap_durable ? commit : durable);
        cx.set("txn", transaction.number);
        cx.set("commit", commit);
        cx.set("durable", durable);
        const int code = call(cx, [&] { return cx.state.session->commit_prepared(commit, durable); });
        check(code, "committing what was prepared");
        const spec::CommitPrepared committed{transaction.number, commit, durable};
        finish(cx);
        return committed;
    }

    static Performed<spec::Rollback> perform(Kind<spec::Rollback>, Context &cx) {
        if (!cx.state.transaction) return unsupported;
        const auto number = cx.state.transaction->number;
        cx.set("txn", number);
        const int code = call(cx, [&] { return cx.state.session->rollback(); });
        check(code, "rolling back");
        finish(cx);
        return spec::Rollback{number};
    }

    static Performed<spec::SetStable> perform(Kind<spec::SetStable>, Context &cx) {
        const std::lock_guard lock(cx.system.setting);
        const bool is_wrong = cx.system.oldest > 1 && cx.random.chance(1, 8);
        const Time time = is_wrong ? cx.random.range<Time>(1, cx.system.oldest - 1)
                                   : cx.random.range<Time>(cx.system.stable, cx.system.clock.settled());
        cx.set("time", time);
        const int code = call(cx, [&] { return cx.system.database.set_time("stable", time); });
        if (code == 0) cx.system.stable = time;
        return spec::SetStable{time, noted(cx, code)};
    }

    static Performed<spec::SetOldest> perform(Kind<spec::SetOldest>, Context &cx) {
        const std::lock_guard lock(cx.system.setting);
        const Time time = cx.random.chance(1, 8) ? cx.system.stable + 1
                                                 : cx.random.range<Time>(cx.system.oldest, cx.system.stable);
        cx.set("time", time);
        const int code = call(cx, [&] { return cx.system.database.set_time("oldest", time); });
        if (code == 0) cx.system.oldest = time;
        return spec::SetOldest{time, noted(cx, code)};
    }

    static Performed<spec::RollbackToStable> perform(Kind<spec::RollbackToStable>, Context &cx) {
        // No other call may be made meanwhile.
        if (cx.state.transaction || !cx.system.gate.close()) return unsupported;
        const std::lock_guard lock(cx.system.setting);
        const int code = call(cx, [&] { return cx.system.database.rollback_to_stable(); });
        cx.system.gate.open();
        check(code, "rolling back to stable");
        return spec::RollbackToStable{};
    }

private:
    // Whether a commit that is refused ends its transaction: the constant RefusalEnds of the specification.
    static constexpr bool refusal_ends = WIREDTIGER_VERSION_MAJOR >= 10;

    // Performs a call. Before it, others get a chance: on few processors transactions would seldom overlap else.
    template <class Body>
    static int call(Context &cx, Body &&body) {
        std::this_thread::yield();
        return cx.call(std::forward<Body>(body));
    }

    // After a conflict a transaction seldom goes on: most are rolled back.
    static bool is_tired(Context &cx) { return cx.state.transaction->failed && cx.random.chance(7, 8); }

    static bool often(Context &cx) { return cx.random.chance(1, 4); }

    static Key some_key(Context &cx) {
        const Key key = cx.random.range<Key>(1, keys);
        cx.set("txn", cx.state.transaction->number);
        cx.set("key", key);
        return key;
    }

    // When a transaction reads. Now and then it is too early, which WiredTiger has to notice.
    static Time read_time(Context &cx) {
        if (cx.random.chance(1, 2)) return never;
        Time oldest;
        {
            const std::lock_guard lock(cx.system.setting);
            oldest = cx.system.oldest;
        }
        if (oldest > 1 && cx.random.chance(1, 16)) return cx.random.range<Time>(1, oldest - 1);
        return cx.random.range<Time>(oldest, cx.system.clock.settled());
    }

    // What the transaction has promised, if that will do.
    static Time time_to_commit(Context &cx) {
        auto &transaction = *cx.state.transaction;
        if (transaction.promised == never || !cx.system.clock.is_in_order(transaction.promised, transaction.written)) {
            transaction.promised = cx.system.clock.promise(cx.thread, often(cx), transaction.written);
        }
        return transaction.promised;
    }

    // Notes the code itself, too.
    static Status noted(Context &cx, int code) {
        cx.op.meta("code", code);
        return status_of(code);
    }

    static Status modified(Context &cx, Key key, int code) {
        cx.state.session->reset();
        if (code == 0) cx.state.transaction->written.insert(key);
        if (code == WT_ROLLBACK) cx.state.transaction->failed = true;
        return noted(cx, code);
    }

    static void forget_promise(Context &cx) {
        cx.system.clock.fulfil(cx.thread);
        cx.state.transaction->promised = never;
    }

    static void finish(Context &cx) {
        forget_promise(cx);
        cx.state.transaction.reset();
        cx.system.gate.leave();
    }
};

static std::size_t number(const omnilink::Options &options, const std::string &name) {
    const auto text = options.get(name).value_or("0");
    std::size_t end = 0;
    std::size_t value = 0;
    try {
        value = std::stoul(text, &end);
    } catch (const std::logic_error &) {
        end = 0;
    }
    if (end == 0 || end != text.size()) throw std::invalid_argument("--" + name + ": `" + text + "` is no number");
    return value;
}

static bool is_second(const omnilink::Options &options, const std::string &name, const std::string &first,
                      const std::string &second) {
    const auto value = options.get(name).value_or(first);
    if (value != first && value != second) {
        throw std::invalid_argument("--" + name + ": `" + value + "` is neither " + first + " nor " + second);
    }
    return value == second;
}

int main(int argc, char **argv) {
    auto fuzz = fuzz_spec<Fuzzer>();
    fuzz.weight("Begin", 40).weight("Read", 60).weight("Write", 40).weight("Remove", 15).weight("Prepare", 8);
    fuzz.weight("Commit", 20).weight("CommitPrepared", 20).weight("Rollback", 5);
    fuzz.weight("SetStable", 3).weight("SetOldest", 3).weight("RollbackToStable", 1);
    fuzz.option("idle-sessions", "N", "sessions that do nothing, between every two that do [default: 0]");
    fuzz.option("messages", "hide|show", "whether to print WiredTiger's messages [default: hide]");
    fuzz.option("durable", "apart|overlapping",
                "whether commits may be earlier than their keys' last values are durable [default: apart]");
    fuzz.option("prepare", "sound|any", "whether to prepare transactions that had a conflict [default: sound]");
    // A transaction that is open when its thread ends stays open.
    fuzz.cleanup([](auto &cx) {
        if (cx.state.transaction) cx.system.gate.stay_forever();
    });
    return fuzz.main(argc, argv, [](const omnilink::Options &options) {
        const Database::Settings settings{options.threads(), number(options, "idle-sessions"),
                                          is_second(options, "messages", "hide", "show")};
        const Liberties liberties{is_second(options, "durable", "apart", "overlapping"),
                                  is_second(options, "prepare", "sound", "any")};
        return std::make_unique<System>(settings, liberties);
    });
}
