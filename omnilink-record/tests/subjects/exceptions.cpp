// Correct: exceptions thrown through frames with destructors and caught, from many threads, with switch tables on the way.
#include "subject.hpp"
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

std::atomic<int> entered{0}, left{0}, caught{0};

struct Scope {
    Scope() { entered++; }
    ~Scope() { left++; }
};

__attribute__((noinline)) int step(int kind, std::atomic<int> &cell) {
    Scope scope;
    switch (kind) {
    case 0: return cell.fetch_add(1);
    case 1: return cell.load() * 3;
    case 2: cell.store(cell.load() ^ 5); return 2;
    case 3: throw std::runtime_error("three");
    case 4: return cell.exchange(7);
    case 5: throw 5;
    case 6: return step(3, cell) + step(0, cell);
    default: return -1;
    }
}

int main(int argc, char **argv) {
    // Eight kinds, of which three end in an exception.
    const int turns = argument(argc, argv, 1, 5);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([=] {
            std::atomic<int> cell{t};
            for (int i = 0; i < 8 * turns; i++) {
                Scope scope;
                try {
                    step((i + t) % 8, cell);
                } catch (const std::runtime_error &) {
                    caught++;
                } catch (int) {
                    caught++;
                }
            }
        });
    for (auto &thread : threads) thread.join();
    return verdict(entered != left || caught != 3 * 3 * turns, "exceptions were lost");
}
