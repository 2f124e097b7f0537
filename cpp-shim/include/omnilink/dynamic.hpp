/*
 * A value of any type, for parameters whose type the specification does not determine.
 *
 *   omnilink::Value value = 3;
 *   value = std::vector<omnilink::Value>{"a", 1, std::set<int>{2}};   // <<"a", 1, {2}>>
 */
#ifndef OMNILINK_DYNAMIC_HPP
#define OMNILINK_DYNAMIC_HPP

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "value.hpp"

namespace omnilink {

/// A copy of a value that can be recorded. It is never empty, because TLA+ has no such value.
class Value {
public:
    /// Text is kept as a string; anything else that refers to values of others must not outlive them.
    template <class T, class = std::enable_if_t<!std::is_same_v<T, Value>>>
    Value(T value) : held_(std::make_shared<const Copy<Kept<T>>>(Kept<T>(std::move(value)))) {}

private:
    friend struct ToTla<Value>;

    template <class T>
    using Kept = std::conditional_t<detail::is_text<T>, std::string, T>;

    struct Held {
        virtual ~Held() = default;
        virtual void encode(Encoder &out) const = 0;
    };

    template <class T>
    struct Copy final : Held {
        explicit Copy(T copied) : value(std::move(copied)) {}
        void encode(Encoder &out) const override { out.value(value); }

        T value;
    };

    std::shared_ptr<const Held> held_;
};

template <>
struct ToTla<Value> {
    static void encode(Encoder &out, const Value &value) { value.held_->encode(out); }
};

}  // namespace omnilink

#endif
