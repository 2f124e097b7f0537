// Correct: changes its group and user, to the same, while threads run: all of them have to take part.
#include "subject.hpp"
#include <atomic>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
    std::atomic<int> running{0};
    std::atomic<bool> enough{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&] {
            running++;
            while (!enough) std::this_thread::yield();
        });
    while (running < 3) std::this_thread::yield();
    const bool changed = setgid(getgid()) == 0 && setuid(getuid()) == 0;
    enough = true;
    for (auto &thread : threads) thread.join();
    return changed ? 0 : 1;
}
