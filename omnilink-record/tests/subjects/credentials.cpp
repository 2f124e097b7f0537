// Correct: a process with threads changes its user and groups, which libc does in every thread by a signal.
#include "subject.hpp"
#include <condition_variable>
#include <grp.h>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&] {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return done; });
        });
    std::thread runner([&] {
        for (int i = 0; i < 50; i++) {
            std::lock_guard<std::mutex> lock(mutex);
            sched_yield();
        }
    });
    bool good = setgid(getgid()) == 0 && setresgid(getgid(), getgid(), getgid()) == 0;
    if (getuid() == 0) good = good && setgroups(0, nullptr) == 0;
    good = good && setuid(getuid()) == 0 && setresuid(getuid(), getuid(), getuid()) == 0;
    {
        std::lock_guard<std::mutex> lock(mutex);
        done = true;
    }
    changed.notify_all();
    for (auto &thread : threads) thread.join();
    runner.join();
    return verdict(!good, "the user was not changed");
}
