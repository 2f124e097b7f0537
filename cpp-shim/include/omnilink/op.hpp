/*
 * Places that perform actions, and calls there that are being recorded.
 *
 * A Site is made once per place, an Op once per call. An Op that is destroyed before end() or discard(), by an
 * exception or an early return, is recorded as indeterminate: the call may or may not have taken effect. When nothing
 * is being recorded, and inside another recorded call, an Op is inert and its members do nothing.
 */
#ifndef OMNILINK_OP_HPP
#define OMNILINK_OP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsan.hpp"
#include "value.hpp"

namespace omnilink {

/// An action of the specification: an operator and the names of its parameters.
struct Action {
    std::string name;
    std::vector<std::string> params;
};

/// The parameters that are results of a call: Results{"elem"}. All others are arguments.
struct Results {
    std::vector<std::string> names;

    explicit Results(std::initializer_list<std::string> results) : names(results) {}
};

namespace detail {

/// Actions as the C interface wants them; they must outlive it.
class RawActions {
public:
    explicit RawActions(const std::vector<Action> &actions) {
        params_.reserve(actions.size());
        for (const Action &action : actions) {
            std::vector<const char *> &params = params_.emplace_back();
            for (const std::string &param : action.params) params.push_back(param.c_str());
            actions_.push_back({action.name.c_str(), params.data(), params.size()});
        }
    }

    const omnilink_action *data() const noexcept { return actions_.data(); }
    std::size_t size() const noexcept { return actions_.size(); }

private:
    std::vector<std::vector<const char *>> params_;
    std::vector<omnilink_action> actions_;
};

/// The numbers that the C interface gives to the actions and parameters of a place.
class Vocabulary {
public:
    explicit Vocabulary(std::vector<Action> actions) : actions_(std::move(actions)) {
        for (const Action &action : actions_) {
            for (const std::string &param : action.params) {
                if (std::find(params_.begin(), params_.end(), param) == params_.end()) params_.push_back(param);
            }
        }
    }

    const std::vector<Action> &actions() const noexcept { return actions_; }

    std::uint16_t action(std::string_view name) const {
        return number_of("action", name, actions_, [](const Action &action) { return std::string_view(action.name); });
    }

    std::uint16_t param(std::string_view name) const {
        return number_of("parameter", name, params_, [](const std::string &param) { return std::string_view(param); });
    }

private:
    template <class Items, class Name>
    static std::uint16_t number_of(const char *what, std::string_view name, const Items &items, const Name &name_of) {
        const auto is_meant = [&](const auto &item) { return name_of(item) == name; };
        const auto found = std::find_if(items.begin(), items.end(), is_meant);
        if (found != items.end()) return static_cast<std::uint16_t>(found - items.begin());
        std::string message = std::string("no ") + what + " `" + std::string(name) + "`, there are:";
        for (const auto &item : items) message.append(" ").append(name_of(item));
        throw std::invalid_argument(message);
    }

    std::vector<Action> actions_;
    std::vector<std::string> params_;
};

/// The message of the exception that is being handled.
inline std::string current_message() {
    try {
        throw;
    } catch (const std::exception &error) {
        return error.what();
    } catch (const std::string &message) {
        return message;
    } catch (const char *message) {
        return message;
    } catch (...) {
        return "an exception without a message";
    }
}

}  // namespace detail

/// A place in the program that performs an action, or one of several, depending on the result. It must outlive its
/// calls; best make it a static constant.
class Site {
public:
    Site(std::string name, std::vector<std::string> params) : Site({Action{std::move(name), std::move(params)}}) {}

    /// One of several actions. Throws std::invalid_argument if there is none, or if they have more than 64 different
    /// parameters.
    Site(std::initializer_list<Action> actions) : vocabulary_(actions) {
        const detail::RawActions raw(vocabulary_.actions());
        raw_ = omnilink_site_new(raw.data(), raw.size());
        if (raw_ == nullptr) throw std::invalid_argument("a site needs an action, and at most 64 different parameters");
    }

    /// As the others, and declares in the trace which parameters are results, for checks that need to know. Throws
    /// std::invalid_argument also if no action has such a parameter.
    Site(std::string name, std::vector<std::string> params, const Results &results)
        : Site({Action{std::move(name), std::move(params)}}, results) {}

    Site(std::initializer_list<Action> actions, const Results &results) : vocabulary_(actions) {
        const detail::RawActions raw(vocabulary_.actions());
        std::vector<const char *> names;
        for (const std::string &name : results.names) {
            vocabulary_.param(name);
            names.push_back(name.c_str());
        }
        raw_ = omnilink_site_with_results(raw.data(), raw.size(), names.data(), names.size());
        if (raw_ == nullptr) throw std::invalid_argument("a site needs an action, and at most 64 different parameters");
    }

    Site(const Site &) = delete;
    Site &operator=(const Site &) = delete;

    const omnilink_site *raw() const noexcept { return raw_; }
    const detail::Vocabulary &vocabulary() const noexcept { return vocabulary_; }

private:
    detail::Vocabulary vocabulary_;
    const omnilink_site *raw_ = nullptr;
};

/// The interface of an open call. Its owner begins and ends it: the fuzz loop, or an Op.
class Call {
public:
    Call(omnilink_op op, const detail::Vocabulary &vocabulary) noexcept : op_(op), vocabulary_(&vocabulary) {}
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    /// True if the call is being recorded. Expensive arguments need not be computed otherwise.
    bool is_recording() const noexcept { return op_.lane != nullptr; }

    /// Records the value of a parameter, by its name. The last value given counts; a parameter without value is
    /// recorded as unknown.
    template <class T>
    void set(std::string_view param, const T &value) {
        if (is_recording()) arg(vocabulary_->param(param), value);
    }

    /// The same by the parameter's number: parameters count from 0 in the order in which the site's actions first
    /// have them.
    template <class T>
    void arg(std::uint16_t param, const T &value) {
        if (!is_recording()) return;
        if constexpr (std::is_same_v<T, bool>) {
            omnilink_arg_bool(&op_, param, value);
        } else if constexpr (detail::is_number<T> && std::is_signed_v<T>) {
            omnilink_arg_int(&op_, param, value);
        } else if constexpr (detail::is_number<T>) {
            omnilink_arg_uint(&op_, param, value);
        } else if constexpr (detail::is_text<T>) {
            const std::string_view text = value;
            omnilink_arg_str(&op_, param, text.data(), text.size());
        } else {
            detail::with_description(value, [&](omnilink_encode encode, const void *described) {
                omnilink_arg(&op_, param, encode, described);
            });
        }
    }

    /// Records metadata: a value that is not an argument of the action.
    template <class T>
    void meta(const std::string &key, const T &value) {
        detail::with_description(value, [&](omnilink_encode encode, const void *described) {
            omnilink_meta(&op_, key.c_str(), encode, described);
        });
    }

    /// Selects which of its site's actions the call performed, by name or by number.
    void choose(std::string_view action) {
        if (is_recording()) choose(vocabulary_->action(action));
    }
    void choose(std::uint16_t action) { omnilink_choose(&op_, action); }

    /// The call took no effect, for this reason.
    void abort(std::string_view reason) { omnilink_abort(&op_, reason.data(), reason.size()); }

    /// Narrow the timebox: nothing of the call has happened before now; nothing will happen after now.
    void refine_start() { omnilink_refine_start(&op_); }
    void refine_end() { omnilink_refine_end(&op_); }

protected:
    omnilink_op op_;
    const detail::Vocabulary *vocabulary_;
};

/// A call from its begin to its end.
class Op : public Call {
public:
    /// Begins a call: the timebox starts now.
    explicit Op(const Site &site) : Op(omnilink_begin(site.raw()), site) {}

    /// Prepares a call: arguments can be given, the timebox starts with start().
    static Op enter(const Site &site) { return Op(omnilink_enter(site.raw()), site); }

    /// As enter(), for a call that may wait while others begin and end on its thread, or move to another thread.
    static Op enter_async(const Site &site) { return Op(omnilink_enter_async(site.raw()), site); }

    Op(Op &&other) noexcept : Call(std::exchange(other.op_, {nullptr}), *other.vocabulary_) {}
    Op &operator=(Op &&) = delete;

    ~Op() {
        if (!is_recording()) return;
        if (std::uncaught_exceptions() > 0) {
            indeterminate("left by an exception");
        } else {
            omnilink_drop(&op_);
        }
    }

    /// The timebox starts now.
    void start() { omnilink_start(&op_); }

    /// The call has returned: the timebox ends now, unless refine_end() has ended it. Results can still be recorded.
    void returned() { omnilink_returned(&op_); }

    /// Performs the call: runs `body` and ends the timebox when it returns. If it throws, the call is recorded as
    /// indeterminate with the exception's message, and the exception goes on.
    template <class Body>
    decltype(auto) call(Body &&body) {
        if (!is_recording()) return std::forward<Body>(body)();
        try {
            const Returning returning{*this};
            return std::forward<Body>(body)();
        } catch (...) {
            indeterminate(detail::current_message());
            throw;
        }
    }

    /// The call is over.
    void end() {
        if (is_recording()) {
            omnilink_end(&op_);
            op_.lane = nullptr;
        }
    }

    /// Nothing happened: the call leaves no event.
    void discard() { omnilink_discard(&op_); }

    /// The call is over, and it may or may not have taken effect.
    void indeterminate(std::string_view reason) { omnilink_indeterminate(&op_, reason.data(), reason.size()); }

private:
    Op(omnilink_op op, const Site &site) noexcept : Call(op, site.vocabulary()) {}

    /// Ends the timebox once the result is in place, unless there is an exception instead.
    struct Returning {
        Op &op;
        int exceptions = std::uncaught_exceptions();

        ~Returning() {
            if (std::uncaught_exceptions() == exceptions) op.returned();
        }
    };
};

/// The call that is open on this thread, from inside it. Without one, nothing happens.
namespace current {

inline void refine_start() { omnilink_current_refine_start(); }
inline void refine_end() { omnilink_current_refine_end(); }
inline void abort(std::string_view reason) { omnilink_current_abort(reason.data(), reason.size()); }

template <class T>
void meta(const std::string &key, const T &value) {
    detail::with_description(value, [&](omnilink_encode encode, const void *described) {
        omnilink_current_meta(key.c_str(), encode, described);
    });
}

}  // namespace current

}  // namespace omnilink

#endif
