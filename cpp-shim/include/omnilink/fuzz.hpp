/*
 * The fuzz loop: threads that call a system at random and record what it does.
 *
 *   int main(int argc, char **argv) {
 *       omnilink::Fuzz<Stack> fuzz("Stack");
 *       fuzz.action("Push", {"elem"}, [](auto &cx) {
 *           const auto elem = cx.random.below(100);
 *           cx.set("elem", elem);
 *           cx.call([&] { cx.system.push(elem); });
 *           return omnilink::done;
 *       });
 *       return fuzz.main(argc, argv);
 *   }
 *
 * It is the loop of omnilink_runtime::fuzz, with the same options, environment, exit codes and choices; that module's
 * page documents them, and `--help` shows them. Where it speaks of panics, exceptions are treated alike: one that
 * leaves an action ends its thread and is recorded as indeterminate. Do return `unsupported` only if the system was
 * not changed.
 */
#ifndef OMNILINK_FUZZ_HPP
#define OMNILINK_FUZZ_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fuzz_context.hpp"
#include "tsan.hpp"

namespace omnilink {

/// A fuzzer for a System whose threads each keep a State.
template <class System, class State = NoState>
class Fuzz {
public:
    using MakeState = std::function<State(Start<System> &)>;
    using Perform = std::function<Attempt(Context<System, State> &)>;
    using CleanUp = std::function<void(Cleanup<System, State> &)>;

    /// A fuzzer of the specification `spec` whose threads start with State{}.
    explicit Fuzz(const std::string &spec) : Fuzz(spec, [](Start<System> &) { return State{}; }) {}

    /// A fuzzer of the specification `spec`; every thread makes its state with `make_state`, one thread after the other
    /// and before the first action of any.
    Fuzz(const std::string &spec, MakeState make_state) : hooks_(std::make_unique<Hooks>()) {
        hooks_->make_state = std::move(make_state);
        const omnilink_fuzz_hooks raw = {&Hooks::make, &Hooks::drop, &Hooks::clean, hooks_.get()};
        raw_.reset(omnilink_fuzz_new(spec.c_str(), &raw));
    }

    /// Adds the action `name` with parameters `params`, which `perform` performs.
    Fuzz &action(const std::string &name, std::vector<std::string> params, Perform perform) {
        return choice(name, {Action{name, std::move(params)}}, std::move(perform));
    }

    /// Adds a call whose result decides which of `actions` it was: `perform` says so with Context::choose. Weights
    /// and counts go by `name`. Throws std::invalid_argument if there are no actions, or if they have more than 64
    /// different parameters.
    Fuzz &choice(const std::string &name, std::vector<Action> actions, Perform perform) {
        const auto &step = steps_.emplace_back(
            std::make_unique<Step>(Step{detail::Vocabulary(std::move(actions)), std::move(perform), hooks_.get()}));
        const detail::RawActions raw(step->vocabulary.actions());
        if (!omnilink_fuzz_step(raw_.get(), name.c_str(), raw.data(), raw.size(), &Step::call, step.get())) {
            throw std::invalid_argument("`" + name + "` has no action, or more than 64 different parameters");
        }
        return *this;
    }

    /// Adds an action that nothing performs yet: it is tried like the others and is never supported. `main` names such
    /// actions before it runs; if there are no others it does not run, and its exit code is that of an empty trace.
    Fuzz &unbound(const std::string &name, std::vector<std::string> params) {
        unbound_.push_back(name);
        return action(name, std::move(params), [](Context<System, State> &) { return Attempt::unsupported; });
    }

    /// What to do when a thread ends, unless an action threw. The end is recorded, with what the function notes.
    Fuzz &cleanup(CleanUp clean_up) {
        hooks_->clean_up = std::move(clean_up);
        return *this;
    }

    /// Declares which parameters are results of their calls, as pairs of action and parameter: results({{"Dequeue", "elem"}}).
    /// All other parameters of all actions are arguments. The trace says so, for checks that need to know. A parameter
    /// that its action does not have prevents the run.
    Fuzz &results(std::initializer_list<std::pair<std::string, std::string>> results) {
        std::vector<omnilink_result> raw;
        for (const auto &[action, param] : results) raw.push_back({action.c_str(), param.c_str()});
        omnilink_fuzz_results(raw_.get(), raw.data(), raw.size());
        return *this;
    }

    /// Adds `--name VALUE` to the command line; whoever makes the system gets what was given.
    Fuzz &option(const std::string &name, const std::string &value, const std::string &help) {
        omnilink_fuzz_option(raw_.get(), name.c_str(), value.c_str(), help.c_str());
        return *this;
    }

    /// Adds `--name`, which takes no value, to the command line; `Options::is_set` tells whether it was given.
    Fuzz &flag(const std::string &name, const std::string &help) { return option(name, "", help); }

    /// The operator used as next-state relation, if it is not `Next`.
    Fuzz &next_relation(const std::string &next) {
        omnilink_fuzz_next_relation(raw_.get(), next.c_str());
        return *this;
    }

    /// How many threads call the system.
    Fuzz &threads(std::size_t threads) {
        omnilink_fuzz_threads(raw_.get(), threads);
        return *this;
    }

    /// How many operations a thread performs at most.
    Fuzz &operations(std::uint64_t operations) {
        omnilink_fuzz_operations(raw_.get(), operations);
        return *this;
    }

    /// How many operations all threads together perform at most; divided evenly among them.
    Fuzz &total_operations(std::uint64_t operations) {
        omnilink_fuzz_total_operations(raw_.get(), operations);
        return *this;
    }

    /// How long threads begin new operations.
    Fuzz &duration(std::chrono::milliseconds duration) {
        omnilink_fuzz_duration(raw_.get(), duration.count() > 0 ? static_cast<std::uint64_t>(duration.count()) : 0);
        return *this;
    }

    /// From what all random choices follow.
    Fuzz &seed(std::uint64_t seed) {
        omnilink_fuzz_seed(raw_.get(), seed);
        return *this;
    }

    /// How often the action `name` is tried compared to others, which count 1 unless they are given a weight too.
    Fuzz &weight(const std::string &name, std::uint32_t weight) {
        omnilink_fuzz_weight(raw_.get(), name.c_str(), weight);
        return *this;
    }

    /// Where to record.
    Fuzz &trace_directory(const std::string &directory) {
        omnilink_fuzz_trace_directory(raw_.get(), directory.c_str());
        return *this;
    }

    /// How many unsupported attempts in a row end a thread.
    Fuzz &consecutive_failures(std::uint64_t failures) {
        omnilink_fuzz_consecutive_failures(raw_.get(), failures);
        return *this;
    }

    /// Runs with the settings above alone: reads neither command line nor environment, prints nothing. Throws
    /// std::runtime_error if the run cannot begin.
    Report run(System &system) const {
        std::string message(8192, '\0');
        omnilink_fuzz_report raw = {};
        const bool ran = omnilink_fuzz_run(raw_.get(), &system, &raw, message.data(), message.size());
        message.resize(message.find('\0'));
        if (!ran) throw std::runtime_error(message);
        return {raw.seed, raw.operations, raw.events, raw.exit_code, std::move(message)};
    }

    /// A fuzzer's whole main: reads command line and environment, has the system made, runs, prints what came of it.
    /// Returns the exit code. At most once.
    ///
    /// `make_system(const Options &)` returns a System, or a std::unique_ptr to one. What it throws is printed, and the
    /// exit code is that of wrong use.
    template <class MakeSystem>
    int main(int argc, const char *const *argv, MakeSystem make_system) {
        Making<MakeSystem> making{*this, make_system};
        const int exit_code = omnilink_fuzz_main(raw_.get(), argc, argv, &Making<MakeSystem>::make, &making);
        return making.is_pointless ? exit_empty : exit_code;
    }

    /// The same for a system that is made from nothing.
    int main(int argc, const char *const *argv) {
        return main(argc, argv, [](const Options &) { return std::make_unique<System>(); });
    }

private:
    /// omnilink_runtime::fuzz::EXIT_EMPTY.
    static constexpr int exit_empty = 3;

    /// Runs what the user has written for the C interface, which no exception may leave: there it becomes a failure.
    template <class Body>
    static auto guarded(omnilink_failure *failure, const Body &body) noexcept -> decltype(body()) {
        try {
            return body();
        } catch (...) {
            const std::string message = detail::current_message();
            omnilink_fail(failure, message.data(), message.size());
            return decltype(body())();
        }
    }

    /// A thread's state, and whether it has started to perform actions.
    struct Own {
        State state;
        bool started = false;
    };

    struct Hooks {
        MakeState make_state;
        CleanUp clean_up;

        static void *make(const omnilink_fuzz_context *raw, void *user) noexcept {
            auto &self = *static_cast<Hooks *>(user);
            return guarded(raw->failure, [&]() -> void * {
                detail::tsan_acquire(&self);
                Random random(raw->random);
                Start<System> start{*static_cast<System *>(raw->system), raw->thread, raw->threads, random};
                auto own = std::unique_ptr<Own>(new Own{self.make_state(start)});
                detail::tsan_release(&self);
                return own.release();
            });
        }

        static void drop(void *state, void *) noexcept { delete static_cast<Own *>(state); }

        static void clean(const omnilink_fuzz_context *raw, void *user) noexcept {
            auto &self = *static_cast<Hooks *>(user);
            if (!self.clean_up) return;
            guarded(raw->failure, [&] {
                Random random(raw->random);
                Notes notes(raw->notes);
                auto &system = *static_cast<System *>(raw->system);
                auto &own = *static_cast<Own *>(raw->state);
                Cleanup<System, State> cleanup{system, own.state, raw->thread, random, notes};
                self.clean_up(cleanup);
            });
        }
    };

    struct Step {
        detail::Vocabulary vocabulary;
        Perform perform;
        Hooks *hooks;

        static bool call(const omnilink_fuzz_context *raw, void *user) noexcept {
            auto &self = *static_cast<Step *>(user);
            return guarded(raw->failure, [&] {
                auto &own = *static_cast<Own *>(raw->state);
                if (!std::exchange(own.started, true)) detail::tsan_acquire(self.hooks);
                Context<System, State> context(*raw, own.state, self.vocabulary);
                return self.perform(context) == Attempt::done;
            });
        }
    };

    /// The system while the fuzzer runs as a program.
    template <class MakeSystem>
    struct Making {
        const Fuzz &fuzz;
        MakeSystem &make_system;
        std::unique_ptr<System> system = nullptr;
        bool is_pointless = false;

        static void *make(const omnilink_fuzz_options *raw, omnilink_failure *failure, void *user) noexcept {
            auto &self = *static_cast<Making *>(user);
            return guarded(failure, [&]() -> void * {
                self.say_what_is_unbound();
                const Options options(raw);
                if constexpr (std::is_same_v<decltype(self.make_system(options)), std::unique_ptr<System>>) {
                    self.system = self.make_system(options);
                } else {
                    self.system.reset(new System(self.make_system(options)));
                }
                return self.system.get();
            });
        }

        void say_what_is_unbound() {
            if (fuzz.unbound_.empty()) return;
            std::string names;
            for (const std::string &name : fuzz.unbound_) names.append(names.empty() ? "" : ", ").append(name);
            is_pointless = fuzz.unbound_.size() == fuzz.steps_.size();
            if (is_pointless) {
                throw std::runtime_error("no action is bound to the system yet, so nothing is recorded: " + names);
            }
            std::fprintf(stderr, "fuzz: not bound to the system yet: %s\n", names.c_str());
        }
    };

    struct Free {
        void operator()(omnilink_fuzz *fuzz) const { omnilink_fuzz_free(fuzz); }
    };

    // Behind pointers that stay where they are, since the fuzzer holds them.
    std::unique_ptr<Hooks> hooks_;
    std::vector<std::unique_ptr<Step>> steps_;
    std::vector<std::string> unbound_;
    std::unique_ptr<omnilink_fuzz, Free> raw_;
};

}  // namespace omnilink

#endif
