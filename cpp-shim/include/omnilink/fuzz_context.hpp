/*
 * The arguments of a fuzzer's functions.
 */
#ifndef OMNILINK_FUZZ_CONTEXT_HPP
#define OMNILINK_FUZZ_CONTEXT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "op.hpp"
#include "random.hpp"
#include "session.hpp"

namespace omnilink {

/// The result of an attempt to perform an action.
enum class [[nodiscard]] Attempt {
    /// It was performed: it is recorded.
    done,
    /// It cannot be performed now, or is not bound to the system yet. Nothing happened: nothing is recorded, and the
    /// loop tries another action.
    unsupported,
};
inline constexpr Attempt done = Attempt::done;
inline constexpr Attempt unsupported = Attempt::unsupported;

/// The state of threads that keep none.
struct NoState {};

/// For making a thread's state.
template <class System>
struct Start {
    /// The system under test, shared by all threads.
    System &system;
    /// Number of the thread, from 0, and how many there are.
    std::size_t thread;
    std::size_t threads;
    /// The thread's random choices, the same generator that its actions go on with.
    Random &random;
};

/// For performing an action.
///
/// The operation has begun when the function is called and ends when it returns, so its timebox encloses everything
/// that the function does. Context::call narrows the box to the call itself.
template <class System, class State>
class Context {
public:
    Context(const omnilink_fuzz_context &raw, State &own, const detail::Vocabulary &vocabulary)
        : system(*static_cast<System *>(raw.system)), state(own), thread(raw.thread), random(raw.random),
          op(*raw.op, vocabulary), raw_(&raw) {}

    /// The system under test, shared by all threads.
    System &system;
    /// What this thread keeps to itself.
    State &state;
    /// Number of the thread, from 0.
    const std::size_t thread;
    /// The thread's random choices.
    Random random;
    /// The operation that is being recorded: arguments, meta values, abort.
    Call op;

    /// Sets the argument `param` of the action.
    template <class T>
    void set(std::string_view param, const T &value) {
        op.set(param, value);
    }

    /// Selects the action of a choice.
    void choose(std::string_view action) { op.choose(action); }

    /// The action happens at this very moment: its timebox is empty, even if the thread loses its processor meanwhile.
    /// For actions that make no call and only mark a point of the thread's execution.
    void moment() {
        called_ = true;
        // A start behind the end moves the end.
        op.refine_end();
        op.refine_start();
    }

    /// The thread tries the action `name` next, independent of its weight, if this one is performed: nothing is drawn in
    /// between. So a specification can have an action for the beginning of a call, which is recorded right before it.
    /// Throws std::invalid_argument if the fuzzer has no such action.
    void then(std::string_view name) {
        if (omnilink_fuzz_then(raw_, name.data(), name.size())) return;
        throw std::invalid_argument("`" + std::string(name) + "` was to come next, but there is no such action");
    }

    /// Calls the system, and narrows the timebox to what lies between the beginning of the first such call and the end
    /// of the last. All effects of the action must be inside.
    ///
    /// A narrow timebox makes checking faster and finds more bugs. Set inputs before, so that a call that never returns is
    /// recorded with them, and results after.
    template <class Body>
    decltype(auto) call(Body &&body) {
        if (!std::exchange(called_, true)) op.refine_start();
        const InProgress in_progress{op};
        return std::forward<Body>(body)();
    }

private:
    /// Ends the timebox when the call ends, also by an exception.
    struct InProgress {
        Call &op;

        ~InProgress() { op.refine_end(); }
    };

    const omnilink_fuzz_context *raw_;
    bool called_ = false;
};

/// For cleaning up at the end of a thread.
template <class System, class State>
struct Cleanup {
    /// The system under test, shared by all threads.
    System &system;
    /// What this thread kept to itself.
    State &state;
    /// Number of the thread, from 0.
    std::size_t thread;
    /// The thread's random choices.
    Random &random;
    /// What to note in the trace about the thread's end.
    Notes &meta;
};

/// The options with which the system is constructed.
class Options {
public:
    explicit Options(const omnilink_fuzz_options *raw) noexcept : raw_(raw) {}
    Options(const Options &) = delete;
    Options &operator=(const Options &) = delete;

    /// The value of one of the fuzzer's own options, if it was given.
    std::optional<std::string> get(const std::string &name) const {
        std::size_t len = 0;
        const char *value = omnilink_options_get(raw_, name.c_str(), &len);
        return value == nullptr ? std::nullopt : std::optional<std::string>(std::in_place, value, len);
    }

    /// Whether one of the fuzzer's own options was given; see `Fuzz::flag`.
    bool is_set(const std::string &name) const { return get(name).has_value(); }

    /// The seed of the run.
    std::uint64_t seed() const { return omnilink_options_seed(raw_); }

    /// How many threads there will be.
    std::size_t threads() const { return omnilink_options_threads(raw_); }

private:
    const omnilink_fuzz_options *raw_;
};

/// The result of a run.
struct Report {
    /// The same seed gives every thread the same choices again.
    std::uint64_t seed;
    /// How many operations all threads performed.
    std::uint64_t operations;
    /// Events in the trace.
    std::uint64_t events;
    /// The exit code of a program with this result.
    int exit_code;
    /// The result as text.
    std::string message;
};

}  // namespace omnilink

#endif
