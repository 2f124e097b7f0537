// Records one value of every kind, each as the argument of a call. Takes the trace directory as argument.
#include <omnilink.hpp>

#include <limits>

namespace bank {

struct Account {
    std::string owner;
    int balance;
};

enum class Color { red, green };

enum class Answer { yes, do_not_know };

struct Interval {
    int first, last;
};

// As many members as the macro takes.
struct Wide {
    int a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    int c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
};

}  // namespace bank

OMNILINK_RECORD(bank::Account, owner, balance)
OMNILINK_ENUM(bank::Color, red, green)
OMNILINK_RECORD(bank::Wide, a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7,
                c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7)

template <>
struct omnilink::EnumTraits<bank::Answer> {
    static constexpr std::array<bank::Answer, 2> values = {bank::Answer::yes, bank::Answer::do_not_know};
    static constexpr std::array<std::string_view, 2> strings = {"yes", "don't know"};
};

template <>
struct omnilink::ToTla<bank::Interval> {
    static void encode(Encoder &out, const bank::Interval &interval) {
        out.tuple(2, [&](Encoder &ends) {
            ends.value(interval.first);
            ends.value(interval.last);
        });
    }
};

static const omnilink::Site put("Put", {"value"});

template <class T>
static void record(const T &value) {
    omnilink::Op op(put);
    op.set("value", value);
    op.meta("again", value);
    op.end();
}

template <class Integer>
static void record_limits() {
    record(std::numeric_limits<Integer>::min());
    record(std::numeric_limits<Integer>::max());
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    omnilink::Session session({argv[1], "Values"});

    record(true);
    record(false);
    record_limits<std::int8_t>();
    record_limits<std::uint8_t>();
    record_limits<short>();
    record_limits<unsigned short>();
    record_limits<int>();
    record_limits<unsigned>();
    record_limits<long>();
    record_limits<unsigned long>();
    record_limits<long long>();
    record_limits<unsigned long long>();
    record(static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));

    record('x');
    record("literal");
    const char *pointer = "pointer";
    record(pointer);
    record(std::string("with\0nul", 8));
    record(std::string_view("ß and more", 2));
    record(std::string("\xff"));

    record(std::optional<int>());
    record(std::optional<int>(3));
    record(std::optional<std::optional<int>>(std::optional<int>()));

    record(std::vector<int>{1, 2, 3});
    record(std::vector<bool>{true, false});
    record(std::deque<std::string>{"a", "b"});
    record(std::list<int>{});
    record(std::array<std::uint64_t, 2>{1, std::numeric_limits<std::uint64_t>::max()});
    const int plain[] = {4, 5};
    record(plain);
#if defined(__cpp_lib_span)
    record(std::span<const int>(plain));
#else
    record(plain);
#endif

    record(std::pair<int, std::string>(1, "one"));
    record(std::tuple<int, bool, char>(1, true, 'c'));
    record(std::tuple<>());
    record(std::monostate());

    record(std::set<std::string>{"b", "a"});
    record(std::unordered_set<int>{7});
    record(std::map<int, std::string>{{1, "one"}, {3, "three"}});
    record(std::unordered_map<std::string, std::vector<int>>{{"k", {0}}});

    const bank::Account account{"ann", -3};
    record(account);
    record(std::cref(account));
    record(std::vector<bank::Account>{account, {"bob", 4}});
    record(bank::Color::green);
    record(static_cast<bank::Color>(9));
    record(std::vector<bank::Answer>(omnilink::all<bank::Answer>.begin(), omnilink::all<bank::Answer>.end()));
    record(static_cast<bank::Answer>(9));
    record(bank::Interval{2, 5});
    record(omnilink::Value(account));
    std::string text = "kept";
    const omnilink::Value kept = std::string_view(text);
    text = "gone";
    record(kept);
    record(std::vector<omnilink::Value>{1, "a", true, std::set<int>{2}, std::vector<omnilink::Value>{kept}});
    record(bank::Wide{});
    // Larger than the slot of a lane.
    record(std::vector<int>(5000, 1));
    return 0;
}
