/*
 * How C++ values become TLA+ values.
 *
 * | C++                                                  | TLA+                                                     |
 * | ---------------------------------------------------- | -------------------------------------------------------- |
 * | bool                                                 | TRUE, FALSE                                              |
 * | integers                                             | the integer; above 2^63-1 the string of its digits       |
 * | char, string, string_view, const char *              | a string                                                 |
 * | vector, deque, list, array, T[N], span               | a sequence <<a, b>>                                      |
 * | pair, tuple, monostate                               | a tuple; <<>>                                            |
 * | set, unordered_set                                   | a set                                                    |
 * | map, unordered_map                                   | a function                                               |
 * | optional                                             | nullopt is <<>>, a value x is <<x>>                      |
 * | reference_wrapper                                    | what it refers to                                        |
 * | types with OMNILINK_RECORD, OMNILINK_ENUM (record.hpp) | a record, a string                                     |
 * | Value (dynamic.hpp)                                  | what it holds                                            |
 *
 * An optional is a sequence of at most one element because TLA+ has no value that is distinct from all others. There is
 * nothing for floats, which TLA+ does not have, nor for pointers, which differ from run to run.
 *
 * Any other type needs a specialisation of omnilink::ToTla that puts exactly one value:
 *
 *   template <>
 *   struct omnilink::ToTla<Interval> {
 *       static void encode(omnilink::Encoder &out, const Interval &interval) {
 *           out.tuple(2, [&](omnilink::Encoder &parts) {
 *               parts.value(interval.first());
 *               parts.value(interval.last());
 *           });
 *       }
 *   };
 *
 * It is called while a call is being recorded, so it should neither block nor call instrumented functions.
 */
#ifndef OMNILINK_VALUE_HPP
#define OMNILINK_VALUE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
#if __has_include(<span>)
#include <span>
#endif

#include "../omnilink.h"

namespace omnilink {

/// How values of type T are put; see the top of this file.
template <class T, class = void>
struct ToTla {
    static_assert(!std::is_same_v<T, T>,
                  "values of this type cannot be recorded: describe it with OMNILINK_RECORD, OMNILINK_ENUM or a "
                  "specialisation of omnilink::ToTla");
};

class Encoder;

namespace detail {

/// A description of values that the C interface calls back. Exceptions must not pass through there: one that the
/// description throws is caught, what was put so far is made invalid, so that nobody takes it for a value, and the
/// exception goes on from `rethrow`.
template <class Describe>
class Shielded {
public:
    explicit Shielded(const Describe &describe) : describe_(describe) {}

    static void call(omnilink_encoder *raw, const void *self) noexcept;

    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    const Describe &describe_;
    mutable std::exception_ptr error_;
};

}  // namespace detail

/// What values are put to.
class Encoder {
public:
    explicit Encoder(omnilink_encoder *raw) noexcept : raw_(raw) {}
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;

    void boolean(bool value) { omnilink_put_bool(raw_, value); }
    void integer(std::int64_t value) { omnilink_put_int(raw_, value); }
    void natural(std::uint64_t value) { omnilink_put_uint(raw_, value); }
    void text(std::string_view value) { omnilink_put_str(raw_, value.data(), value.size()); }

    /// A tuple or sequence; `elements(Encoder &)` puts `len` values.
    template <class Elements>
    void tuple(std::size_t len, const Elements &elements) {
        const detail::Shielded<Elements> shielded(elements);
        omnilink_put_tuple(raw_, len, shielded.call, &shielded);
        shielded.rethrow();
    }

    /// A set; `elements(Encoder &)` puts any number of values, in any order.
    template <class Elements>
    void set(const Elements &elements) {
        const detail::Shielded<Elements> shielded(elements);
        omnilink_put_set(raw_, shielded.call, &shielded);
        shielded.rethrow();
    }

    /// A function; `pairs(Encoder &)` puts key, value, key, value, …: `len` pairs. A record has strings as keys.
    template <class Pairs>
    void function(std::size_t len, const Pairs &pairs) {
        const detail::Shielded<Pairs> shielded(pairs);
        omnilink_put_function(raw_, len, shielded.call, &shielded);
        shielded.rethrow();
    }

    /// Any value.
    template <class T>
    void value(const T &value) {
        ToTla<T>::encode(*this, value);
    }

private:
    omnilink_encoder *raw_;
};

namespace detail {

template <class Describe>
void Shielded<Describe>::call(omnilink_encoder *raw, const void *self) noexcept {
    const auto &shielded = *static_cast<const Shielded *>(self);
    Encoder encoder(raw);
    try {
        shielded.describe_(encoder);
    } catch (...) {
        shielded.error_ = std::current_exception();
        // At the outermost level exactly one value is expected: with two more there cannot be one.
        encoder.boolean(false);
        encoder.boolean(false);
    }
}

/// Gives `put` a callback and its argument that describe `value`.
template <class T, class Put>
void with_description(const T &value, const Put &put) {
    const auto describe = [&value](Encoder &out) { out.value(value); };
    const Shielded<decltype(describe)> shielded(describe);
    put(shielded.call, &shielded);
    shielded.rethrow();
}

template <class T, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

/// Numbers, as opposed to other things that C++ counts among the integers.
template <class T>
inline constexpr bool is_number = std::is_integral_v<T> && sizeof(T) <= sizeof(std::int64_t) &&
#if defined(__cpp_char8_t)
                                  !std::is_same_v<T, char8_t> &&
#endif
                                  !is_one_of<T, bool, char, wchar_t, char16_t, char32_t>;

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T &, std::string_view>;

template <class Range>
void put_all(Encoder &out, const Range &range) {
    for (const auto &element : range) out.value(element);
}

template <class Range>
struct Sequence {
    static void encode(Encoder &out, const Range &range) {
        out.tuple(std::size(range), [&](Encoder &elements) { put_all(elements, range); });
    }
};

template <class Range>
struct Set {
    static void encode(Encoder &out, const Range &range) {
        out.set([&](Encoder &elements) { put_all(elements, range); });
    }
};

template <class Map>
struct Function {
    static void encode(Encoder &out, const Map &map) {
        out.function(map.size(), [&](Encoder &pairs) {
            for (const auto &[key, value] : map) {
                pairs.value(key);
                pairs.value(value);
            }
        });
    }
};

template <class Tuple>
struct Fixed {
    static void encode(Encoder &out, const Tuple &tuple) {
        out.tuple(std::tuple_size_v<Tuple>, [&](Encoder &elements) {
            std::apply([&](const auto &...element) { (elements.value(element), ...); }, tuple);
        });
    }
};

}  // namespace detail

template <>
struct ToTla<bool> {
    static void encode(Encoder &out, bool value) { out.boolean(value); }
};

template <>
struct ToTla<char> {
    static void encode(Encoder &out, char value) { out.text({&value, 1}); }
};

template <class T>
struct ToTla<T, std::enable_if_t<detail::is_number<T>>> {
    static void encode(Encoder &out, T value) {
        if constexpr (std::is_signed_v<T>) {
            out.integer(value);
        } else {
            out.natural(value);
        }
    }
};

template <class T>
struct ToTla<T, std::enable_if_t<detail::is_text<T>>> {
    static void encode(Encoder &out, std::string_view value) { out.text(value); }
};

template <>
struct ToTla<std::monostate> {
    static void encode(Encoder &out, std::monostate) {
        out.tuple(0, [](Encoder &) {});
    }
};

template <class T>
struct ToTla<std::optional<T>> {
    static void encode(Encoder &out, const std::optional<T> &value) {
        out.tuple(value ? 1 : 0, [&](Encoder &elements) {
            if (value) elements.value(*value);
        });
    }
};

template <class T>
struct ToTla<std::reference_wrapper<T>> {
    static void encode(Encoder &out, const T &value) { out.value(value); }
};

template <class T, class A>
struct ToTla<std::vector<T, A>> : detail::Sequence<std::vector<T, A>> {};
template <class T, class A>
struct ToTla<std::deque<T, A>> : detail::Sequence<std::deque<T, A>> {};
template <class T, class A>
struct ToTla<std::list<T, A>> : detail::Sequence<std::list<T, A>> {};
template <class T, std::size_t N>
struct ToTla<std::array<T, N>> : detail::Sequence<std::array<T, N>> {};
template <class T, std::size_t N>
struct ToTla<T[N], std::enable_if_t<!std::is_same_v<std::remove_cv_t<T>, char>>> : detail::Sequence<T[N]> {};
#if defined(__cpp_lib_span)
template <class T, std::size_t N>
struct ToTla<std::span<T, N>> : detail::Sequence<std::span<T, N>> {};
#endif

template <class T, class C, class A>
struct ToTla<std::set<T, C, A>> : detail::Set<std::set<T, C, A>> {};
template <class T, class H, class E, class A>
struct ToTla<std::unordered_set<T, H, E, A>> : detail::Set<std::unordered_set<T, H, E, A>> {};

template <class K, class V, class C, class A>
struct ToTla<std::map<K, V, C, A>> : detail::Function<std::map<K, V, C, A>> {};
template <class K, class V, class H, class E, class A>
struct ToTla<std::unordered_map<K, V, H, E, A>> : detail::Function<std::unordered_map<K, V, H, E, A>> {};

template <class T, class U>
struct ToTla<std::pair<T, U>> : detail::Fixed<std::pair<T, U>> {};
template <class... T>
struct ToTla<std::tuple<T...>> : detail::Fixed<std::tuple<T...>> {};

}  // namespace omnilink

#endif
