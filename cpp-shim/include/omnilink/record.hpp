/*
 * Types of your own as TLA+ values.
 *
 *   struct Account { std::string owner; int balance; };
 *   OMNILINK_RECORD(Account, owner, balance)      // [owner |-> "ann", balance |-> 3]
 *
 *   enum class Color { red, green };
 *   OMNILINK_ENUM(Color, red, green)              // "red"
 *
 * Use both outside of every namespace, after the type; a type inside a namespace needs its full name, and a type with commas
 * in its name needs an alias. Up to 32 members. For names that C++ does not allow, or members that are private,
 * specialise omnilink::ToTla instead (value.hpp), and for enumerators whose strings are not identifiers, EnumTraits:
 *
 *   enum class Answer { yes, do_not_know };
 *   template <>
 *   struct omnilink::EnumTraits<Answer> {
 *       static constexpr std::array<Answer, 2> values = {Answer::yes, Answer::do_not_know};
 *       static constexpr std::array<std::string_view, 2> strings = {"yes", "don't know"};
 *   };
 *
 * Then all<Answer> are the values, to choose from.
 */
#ifndef OMNILINK_RECORD_HPP
#define OMNILINK_RECORD_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "value.hpp"

namespace omnilink {

/// The values of an enumeration, and the string for each; see the top of this file.
template <class Enumeration>
struct EnumTraits {};

/// All values of an enumeration that has EnumTraits.
template <class Enumeration>
inline constexpr auto all = EnumTraits<Enumeration>::values;

/// The string for a value. One that has none is its number.
template <class Enumeration>
struct ToTla<Enumeration, std::void_t<decltype(EnumTraits<Enumeration>::strings)>> {
    static void encode(Encoder &out, Enumeration value) {
        const auto &values = EnumTraits<Enumeration>::values;
        const auto found = std::find(values.begin(), values.end(), value);
        if (found == values.end()) return out.integer(static_cast<std::int64_t>(value));
        out.text(*std::next(EnumTraits<Enumeration>::strings.begin(), found - values.begin()));
    }
};

}  // namespace omnilink

/// A record with the named members of a struct as fields.
#define OMNILINK_RECORD(Type, ...)                                                                   \
    template <>                                                                                      \
    struct omnilink::ToTla<Type> {                                                                   \
        static void encode(::omnilink::Encoder &out, const Type &value) {                            \
            out.function(OMNILINK_COUNT(__VA_ARGS__), [&value](::omnilink::Encoder &fields) {        \
                OMNILINK_EACH(OMNILINK_PUT_FIELD, __VA_ARGS__)                                       \
            });                                                                                      \
        }                                                                                            \
    };

#define OMNILINK_PUT_FIELD(field) \
    fields.text(#field);          \
    fields.value(value.field);

/// The names of enumerators as strings. A value that has none of these names is its number.
#define OMNILINK_ENUM(Type, ...)                                                \
    template <>                                                                 \
    struct omnilink::ToTla<Type> {                                              \
        static void encode(::omnilink::Encoder &out, Type value) {              \
            using Enumeration = Type;                                           \
            switch (value) {                                                    \
                OMNILINK_EACH(OMNILINK_PUT_ENUMERATOR, __VA_ARGS__)             \
            }                                                                   \
            out.integer(static_cast<std::int64_t>(value));                      \
        }                                                                       \
    };

#define OMNILINK_PUT_ENUMERATOR(name) \
    case Enumeration::name:           \
        return out.text(#name);

// OMNILINK_EACH(put, a, b, c) is put(a) put(b) put(c).
#define OMNILINK_EACH(put, ...) OMNILINK_EACH_OF(OMNILINK_COUNT(__VA_ARGS__), put, __VA_ARGS__)
#define OMNILINK_EACH_OF(count, put, ...) OMNILINK_EACH_OF_COUNT(count, put, __VA_ARGS__)
#define OMNILINK_EACH_OF_COUNT(count, put, ...) OMNILINK_EACH_##count(put, __VA_ARGS__)

// OMNILINK_COUNT(a, b, c) is 3: as many arguments as there are push the right number into place.
#define OMNILINK_COUNT(...) OMNILINK_AFTER_ALL(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, \
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define OMNILINK_AFTER_ALL(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, \
    _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, count, ...) count

#define OMNILINK_EACH_1(put, x) put(x)
#define OMNILINK_EACH_2(put, x, ...) put(x) OMNILINK_EACH_1(put, __VA_ARGS__)
#define OMNILINK_EACH_3(put, x, ...) put(x) OMNILINK_EACH_2(put, __VA_ARGS__)
#define OMNILINK_EACH_4(put, x, ...) put(x) OMNILINK_EACH_3(put, __VA_ARGS__)
#define OMNILINK_EACH_5(put, x, ...) put(x) OMNILINK_EACH_4(put, __VA_ARGS__)
#define OMNILINK_EACH_6(put, x, ...) put(x) OMNILINK_EACH_5(put, __VA_ARGS__)
#define OMNILINK_EACH_7(put, x, ...) put(x) OMNILINK_EACH_6(put, __VA_ARGS__)
#define OMNILINK_EACH_8(put, x, ...) put(x) OMNILINK_EACH_7(put, __VA_ARGS__)
#define OMNILINK_EACH_9(put, x, ...) put(x) OMNILINK_EACH_8(put, __VA_ARGS__)
#define OMNILINK_EACH_10(put, x, ...) put(x) OMNILINK_EACH_9(put, __VA_ARGS__)
#define OMNILINK_EACH_11(put, x, ...) put(x) OMNILINK_EACH_10(put, __VA_ARGS__)
#define OMNILINK_EACH_12(put, x, ...) put(x) OMNILINK_EACH_11(put, __VA_ARGS__)
#define OMNILINK_EACH_13(put, x, ...) put(x) OMNILINK_EACH_12(put, __VA_ARGS__)
#define OMNILINK_EACH_14(put, x, ...) put(x) OMNILINK_EACH_13(put, __VA_ARGS__)
#define OMNILINK_EACH_15(put, x, ...) put(x) OMNILINK_EACH_14(put, __VA_ARGS__)
#define OMNILINK_EACH_16(put, x, ...) put(x) OMNILINK_EACH_15(put, __VA_ARGS__)
#define OMNILINK_EACH_17(put, x, ...) put(x) OMNILINK_EACH_16(put, __VA_ARGS__)
#define OMNILINK_EACH_18(put, x, ...) put(x) OMNILINK_EACH_17(put, __VA_ARGS__)
#define OMNILINK_EACH_19(put, x, ...) put(x) OMNILINK_EACH_18(put, __VA_ARGS__)
#define OMNILINK_EACH_20(put, x, ...) put(x) OMNILINK_EACH_19(put, __VA_ARGS__)
#define OMNILINK_EACH_21(put, x, ...) put(x) OMNILINK_EACH_20(put, __VA_ARGS__)
#define OMNILINK_EACH_22(put, x, ...) put(x) OMNILINK_EACH_21(put, __VA_ARGS__)
#define OMNILINK_EACH_23(put, x, ...) put(x) OMNILINK_EACH_22(put, __VA_ARGS__)
#define OMNILINK_EACH_24(put, x, ...) put(x) OMNILINK_EACH_23(put, __VA_ARGS__)
#define OMNILINK_EACH_25(put, x, ...) put(x) OMNILINK_EACH_24(put, __VA_ARGS__)
#define OMNILINK_EACH_26(put, x, ...) put(x) OMNILINK_EACH_25(put, __VA_ARGS__)
#define OMNILINK_EACH_27(put, x, ...) put(x) OMNILINK_EACH_26(put, __VA_ARGS__)
#define OMNILINK_EACH_28(put, x, ...) put(x) OMNILINK_EACH_27(put, __VA_ARGS__)
#define OMNILINK_EACH_29(put, x, ...) put(x) OMNILINK_EACH_28(put, __VA_ARGS__)
#define OMNILINK_EACH_30(put, x, ...) put(x) OMNILINK_EACH_29(put, __VA_ARGS__)
#define OMNILINK_EACH_31(put, x, ...) put(x) OMNILINK_EACH_30(put, __VA_ARGS__)
#define OMNILINK_EACH_32(put, x, ...) put(x) OMNILINK_EACH_31(put, __VA_ARGS__)

#endif
