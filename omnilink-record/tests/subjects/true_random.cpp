// Does what no seed decides: takes its number of rounds from a file of random bytes.
#include "subject.hpp"
#include <atomic>
#include <thread>

std::atomic<int> counter{0};

int main() {
    std::FILE *file = std::fopen("/dev/urandom", "r");
    const int rounds = 1000 + std::fgetc(file) * 256 + std::fgetc(file);
    std::fclose(file);
    auto count = [=] { for (int i = 0; i < rounds; i++) counter++; };
    std::thread first(count), second(count);
    first.join(), second.join();
}
