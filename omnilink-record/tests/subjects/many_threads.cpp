// Correct: a hundred threads, each with a thread-local variable whose destructor runs when it ends.
#include "subject.hpp"
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

constexpr int THREADS = 100;
std::atomic<int> destroyed{0};
std::mutex mutex;
int guarded = 0;

struct Local {
    int value = 1;
    ~Local() { destroyed += value; }
};
thread_local Local local;

int main() {
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([] {
            std::lock_guard<std::mutex> lock(mutex);
            guarded += local.value;
        });
    for (auto &thread : threads) thread.join();
    return verdict(guarded != THREADS || destroyed != THREADS, "threads were lost");
}
