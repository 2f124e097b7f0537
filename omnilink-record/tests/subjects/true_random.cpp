// Does what no seed decides: takes its number of rounds from a file that never says the same twice.
#include "subject.hpp"
#include <atomic>
#include <thread>

std::atomic<int> counter{0};

int main() {
    std::FILE *file = std::fopen("/proc/sys/kernel/random/uuid", "r");
    unsigned number = 0;
    if (std::fscanf(file, "%8x", &number) != 1) return 1;
    const int rounds = 1000 + number % 60000;
    std::fclose(file);
    auto count = [=] { for (int i = 0; i < rounds; i++) counter++; };
    std::thread first(count), second(count);
    first.join(), second.join();
}
