/*
 * Actions as types: used by the header that `omnilink gen-fuzzer` generates from a specification.
 *
 * There every action is a struct with its parameters as members, and has an ActionTraits. A fuzzer performs them:
 *
 *   struct Fuzzer : omnilink::Performer<Queue, State> {
 *       static Performed<spec::Enqueue> perform(Kind<spec::Enqueue>, Context &cx) {
 *           const auto elem = cx.random.range<std::int64_t>(0, 99);
 *           cx.set("elem", elem);                                        // known before the call: survives a crash
 *           cx.call([&] { cx.system.push(elem); });
 *           return spec::Enqueue{elem};
 *       }
 *       static Performed<spec::Dequeue, spec::DequeueEmpty> perform(Kind<spec::Dequeue>, Context &cx) {
 *           const auto elem = cx.call([&] { return cx.system.pop(); });
 *           if (!elem) return spec::DequeueEmpty{};
 *           return spec::Dequeue{*elem};
 *       }
 *       static Unsupported perform(Kind<spec::DequeueEmpty>, Context &) { return unsupported; }
 *   };
 *
 * The return type of `perform` lists the actions that its call may perform. These are the candidates of a call
 * that never returns. The type Unsupported means that no call is made: such an action is bound if another function
 * may return it; otherwise it is not bound yet.
 */
#ifndef OMNILINK_PERFORM_HPP
#define OMNILINK_PERFORM_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "fuzz.hpp"

namespace omnilink {

/// Maps a struct to an action of the specification. A specialisation has
///
///   static constexpr std::string_view name;                       // of the action
///   static constexpr std::array<std::string_view, N> params;      // of its parameters
///   static std::tuple<const Param &...> values(const A &action);  // their values
template <class A>
struct ActionTraits {
    static_assert(!std::is_same_v<A, A>, "this is no action of the specification");
};

/// Selects the overload of `perform` for an action.
template <class A>
struct Kind {};

/// Nothing happened.
struct Unsupported {};

/// What happened: one of some actions, or nothing.
template <class... Actions>
class [[nodiscard]] Performed {
public:
    Performed(Unsupported) {}

    template <class A, class = std::enable_if_t<detail::is_one_of<A, Actions...>>>
    Performed(A action) : happened_(std::in_place_type<A>, std::move(action)) {}

    const std::variant<Unsupported, Actions...> &happened() const noexcept { return happened_; }

private:
    std::variant<Unsupported, Actions...> happened_;
};

/// The base class of a fuzzer for a System, which defines `Context` and other names.
template <class SystemUnderTest, class StateOfThread = NoState>
struct Performer {
    using System = SystemUnderTest;
    using State = StateOfThread;
    using Context = omnilink::Context<System, State>;
    using Start = omnilink::Start<System>;
    using Unsupported = omnilink::Unsupported;
    template <class A>
    using Kind = omnilink::Kind<A>;
    template <class... Actions>
    using Performed = omnilink::Performed<Actions...>;

    static constexpr Unsupported unsupported{};

    /// The state that a thread starts with. A fuzzer may have a function of its own instead.
    static State make_state(Start &) { return State{}; }
};

namespace detail {

template <class... Actions>
struct ActionList {
    static constexpr std::size_t size = sizeof...(Actions);

    template <class A>
    static constexpr bool has = is_one_of<A, Actions...>;

    static std::vector<Action> described() {
        return {Action{std::string(ActionTraits<Actions>::name),
                       {ActionTraits<Actions>::params.begin(), ActionTraits<Actions>::params.end()}}...};
    }

    /// The numbers that a place with these actions gives to the parameters of one of them; see Vocabulary.
    template <class A>
    static constexpr auto params() {
        std::array<std::string_view, (ActionTraits<Actions>::params.size() + ...)> distinct{};
        std::size_t len = 0;
        const auto number_of = [&](std::string_view param) {
            std::size_t number = 0;
            while (number < len && distinct[number] != param) ++number;
            if (number == len) distinct[len++] = param;
            return static_cast<std::uint16_t>(number);
        };
        const auto number_all = [&](const auto &params) {
            for (std::size_t i = 0; i < params.size(); ++i) number_of(params[i]);
        };
        (number_all(ActionTraits<Actions>::params), ...);
        std::array<std::uint16_t, ActionTraits<A>::params.size()> numbers{};
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number_of(ActionTraits<A>::params[i]);
        return numbers;
    }

    /// The number that a place with these actions gives to one of them.
    template <class A>
    static constexpr std::uint16_t number() {
        std::uint16_t number = 0;
        (void)((std::is_same_v<A, Actions> || (++number, false)) || ...);
        return number;
    }
};

/// The actions that a call may perform, from the return type of `perform`.
template <class Returned>
struct Candidates : ActionList<> {
    static_assert(!std::is_same_v<Returned, Returned>,
                  "perform returns Performed<...> with the actions that its call may turn out to be, or Unsupported");
};
template <>
struct Candidates<Unsupported> : ActionList<> {};
template <class... Actions>
struct Candidates<Performed<Actions...>> : ActionList<Actions...> {};

// The missing function was already reported: no second error for it.
template <>
struct Candidates<void> : ActionList<> {};

/// What a fuzzer's `perform` returns for an action; void if it has none.
template <class Fuzzer, class A, class = void>
struct Returned {
    using Type = void;
};
template <class Fuzzer, class A>
struct Returned<Fuzzer, A,
                std::void_t<decltype(Fuzzer::perform(Kind<A>(), std::declval<typename Fuzzer::Context &>()))>> {
    using Type = decltype(Fuzzer::perform(Kind<A>(), std::declval<typename Fuzzer::Context &>()));
};

template <class Fuzzer, class A>
using CandidatesFor = Candidates<typename Returned<Fuzzer, A>::Type>;

/// Performs an action and records what happened.
template <class Fuzzer, class A>
Attempt perform_and_record(typename Fuzzer::Context &cx) {
    using List = CandidatesFor<Fuzzer, A>;
    const auto performed = Fuzzer::perform(Kind<A>(), cx);
    const auto record = [&cx](const auto &action) {
        using Happened = std::decay_t<decltype(action)>;
        if constexpr (std::is_same_v<Happened, Unsupported>) {
            return Attempt::unsupported;
        } else {
            using Traits = ActionTraits<Happened>;
            if constexpr (List::size > 1) cx.op.choose(List::template number<Happened>());
            [[maybe_unused]] constexpr auto numbers = List::template params<Happened>();
            [[maybe_unused]] std::size_t i = 0;
            std::apply([&](const auto &...value) { (cx.op.arg(numbers[i++], value), ...); }, Traits::values(action));
            return Attempt::done;
        }
    };
    return std::visit(record, performed.happened());
}

/// Adds an action to the loop, All being the actions of the specification. One that nothing is called for is tried too,
/// so that the choices for a seed do not depend on how actions are recorded.
template <class Fuzzer, class A, class... All, class Loop>
void add_action(Loop &fuzz) {
    using List = CandidatesFor<Fuzzer, A>;
    using Alone = ActionList<A>;
    const std::string name(ActionTraits<A>::name);
    if constexpr (List::size > 0) {
        fuzz.choice(name, List::described(), perform_and_record<Fuzzer, A>);
    } else if constexpr ((CandidatesFor<Fuzzer, All>::template has<A> || ...)) {
        fuzz.choice(name, Alone::described(), [](typename Fuzzer::Context &) { return Attempt::unsupported; });
    } else {
        fuzz.unbound(name, Alone::described().front().params);
    }
}

}  // namespace detail

/// True if a fuzzer has a `perform` for the action A.
template <class Fuzzer, class A>
inline constexpr bool performs = !std::is_void_v<typename detail::Returned<Fuzzer, A>::Type>;

/// The fuzz loop in which a fuzzer performs the actions of the specification `spec` with next-state relation `next`.
template <class Fuzzer, class... Actions>
Fuzz<typename Fuzzer::System, typename Fuzzer::State> fuzz_actions(const std::string &spec, const std::string &next) {
    Fuzz<typename Fuzzer::System, typename Fuzzer::State> fuzz(spec, Fuzzer::make_state);
    fuzz.next_relation(next);
    (detail::add_action<Fuzzer, Actions, Actions...>(fuzz), ...);
    return fuzz;
}

}  // namespace omnilink

#endif
