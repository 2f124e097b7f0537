/*
 * Random choices that repeat exactly, in every language: the generator and the mapping from its numbers to choices are
 * those of omnilink_runtime::fuzz::random, which documents them. A seed gives each thread of a fuzzer the same choices
 * whether it is written in C++ or in Rust.
 */
#ifndef OMNILINK_RANDOM_HPP
#define OMNILINK_RANDOM_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "value.hpp"

namespace omnilink {

/// A source of random choices that somebody else owns; the fuzz loop has one for each thread.
///
/// It can be given to the distributions and algorithms of <random> and <algorithm> too. What those make of it repeats
/// with the same standard library only.
class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(omnilink_random *raw) noexcept : raw_(raw) {}
    Random(const Random &) = delete;
    Random &operator=(const Random &) = delete;

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return number(); }

    /// Any 64-bit number.
    std::uint64_t number() { return omnilink_random_number(raw_); }

    /// A number from 0 to n - 1, each as likely as the others.
    std::uint64_t below(std::uint64_t n) {
        if (n == 0) throw std::invalid_argument("there is no number below 0 to choose");
        return omnilink_random_below(raw_, n);
    }

    /// A number from `first` to `last`, both included, each as likely as the others.
    template <class Integer>
    Integer range(Integer first, Integer last) {
        static_assert(detail::is_number<Integer>, "a range of integers");
        if (last < first) throw std::invalid_argument("the range has no number to choose");
        if constexpr (std::is_signed_v<Integer>) {
            return static_cast<Integer>(omnilink_random_int(raw_, first, last));
        } else {
            return static_cast<Integer>(omnilink_random_uint(raw_, first, last));
        }
    }

    /// True `successes` times out of `trials`.
    bool chance(std::uint64_t successes, std::uint64_t trials) { return below(trials) < successes; }

    /// One of the items of a container, each as likely as the others.
    template <class Items>
    decltype(auto) pick(const Items &items) {
        return *std::next(std::begin(items), static_cast<std::ptrdiff_t>(below(std::size(items))));
    }

    /// One of the items in braces.
    template <class Item>
    Item pick(std::initializer_list<Item> items) {
        return *(items.begin() + below(items.size()));
    }

    /// Random bytes.
    void fill(void *bytes, std::size_t len) { omnilink_random_fill(raw_, bytes, len); }

    template <std::size_t N>
    std::array<std::uint8_t, N> bytes() {
        std::array<std::uint8_t, N> bytes{};
        fill(bytes.data(), N);
        return bytes;
    }

protected:
    omnilink_random *raw_;
};

/// Generator number `stream` of a seed. The fuzz loop gives stream i to thread i; those from 2^63 on are free.
class SeededRandom : public Random {
public:
    SeededRandom(std::uint64_t seed, std::uint64_t stream) : Random(omnilink_random_new(seed, stream)) {}
    ~SeededRandom() { omnilink_random_free(raw_); }
};

}  // namespace omnilink

#endif
