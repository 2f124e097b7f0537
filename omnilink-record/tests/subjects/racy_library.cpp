// A library with a race: an increment that is a load and a store.
#include <atomic>

static std::atomic<int> counter{0};

extern "C" int library_increment() {
    const int seen = counter.load(std::memory_order_relaxed);
    counter.store(seen + 1, std::memory_order_relaxed);
    return counter.load(std::memory_order_relaxed);
}
