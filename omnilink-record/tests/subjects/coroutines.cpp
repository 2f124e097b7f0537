// Correct: coroutines that go on in whichever thread takes them from a queue.
#include "subject.hpp"
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<std::coroutine_handle<>> queue;
static int living = 0, steps = 0;

struct Task {
    struct promise_type {
        Task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

struct Later {
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> handle) {
        std::lock_guard lock(mutex);
        queue.push_back(handle);
        changed.notify_one();
    }
    void await_resume() {}
};

static Task count(int rounds) {
    for (int i = 0; i < rounds; i++) {
        co_await Later{};
        std::lock_guard lock(mutex);
        steps++;
    }
    std::lock_guard lock(mutex);
    living--;
    changed.notify_all();
}

int main() {
    constexpr int TASKS = 5, ROUNDS = 4;
    living = TASKS;
    for (int t = 0; t < TASKS; t++) count(ROUNDS);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([] {
            for (;;) {
                std::unique_lock lock(mutex);
                changed.wait(lock, [] { return !queue.empty() || living == 0; });
                if (queue.empty()) return;
                auto next = queue.front();
                queue.pop_front();
                lock.unlock();
                next.resume();
            }
        });
    for (auto &thread : threads) thread.join();
    return steps == TASKS * ROUNDS ? 0 : 1;
}
