// Correct: threads that allocate and let others free.
#include "subject.hpp"
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char **argv) {
    const int count = argument(argc, argv, 1, 4);
    std::mutex mutex;
    std::vector<std::string *> shared;
    std::vector<std::thread> threads;
    size_t total = 0;
    for (int t = 0; t < count; t++)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 5; i++) {
                auto *text = new std::string(100 + size_t(t), char('a' + i));
                std::lock_guard lock(mutex);
                shared.push_back(text);
                if (shared.size() > 3) {
                    total += shared.front()->size();
                    delete shared.front();
                    shared.erase(shared.begin());
                }
            }
        });
    for (auto &thread : threads) thread.join();
    for (auto *text : shared) total += text->size(), delete text;
    size_t expected = 0;
    for (int t = 0; t < count; t++) expected += 5 * (100 + size_t(t));
    return total == expected ? 0 : 1;
}
