// Buggy: the observer must look at three particular moments of the writer's round, so four preemptions have to be right.
#include "subject.hpp"
#include <atomic>
#include <thread>

std::atomic<int> phase{0}, valid{0};
std::atomic<bool> bug{false};
std::atomic<uint32_t> sink{0};

int main(int argc, char **argv) {
    const int rounds = argument(argc, argv, 1, 20);
    std::thread writer([=] {
        uint32_t x = 1;
        for (int i = 0; i < rounds; i++) {
            x = work(x, 20);
            phase.store(1, std::memory_order_release), x = work(x, 5);
            phase.store(0, std::memory_order_release), x = work(x, 5);
            valid.store(1, std::memory_order_release), x = work(x, 5);
            valid.store(0, std::memory_order_release);
        }
        sink += x;
    });
    std::thread observer([=] {
        uint32_t x = 2;
        for (int i = 0; i < rounds; i++) {
            x = work(x, 20);
            if (phase.load() == 1 && valid.load() == 0 && phase.load() == 0 && valid.load() == 0 && valid.load() == 1)
                bug = true;
        }
        sink += x;
    });
    writer.join(), observer.join();
    return verdict(bug, "saw three phases of one round");
}
