// The smallest fuzzer that does something: the example of the README.
#include <omnilink.hpp>

#include <mutex>
#include <optional>
#include <vector>

struct Stack {
    std::mutex mutex;
    std::vector<std::uint64_t> elems;

    void push(std::uint64_t elem) {
        const std::lock_guard lock(mutex);
        elems.push_back(elem);
    }

    std::optional<std::uint64_t> pop() {
        const std::lock_guard lock(mutex);
        if (elems.empty()) return std::nullopt;
        const auto elem = elems.back();
        elems.pop_back();
        return elem;
    }
};

int main(int argc, char **argv) {
    omnilink::Fuzz<Stack> fuzz("Stack");
    fuzz.action("Push", {"elem"}, [](auto &cx) {
        const auto elem = cx.random.below(100);
        cx.set("elem", elem);
        cx.call([&] { cx.system.push(elem); });
        return omnilink::done;
    });
    fuzz.action("Pop", {"elem"}, [](auto &cx) {
        const auto elem = cx.call([&] { return cx.system.pop(); });
        if (!elem) return omnilink::unsupported;
        cx.set("elem", *elem);
        return omnilink::done;
    });
    return fuzz.main(argc, argv);
}
