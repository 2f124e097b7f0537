// Takes the number of its rounds from every source of random numbers, which all come from the seed, and prints them.
#include "subject.hpp"
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/random.h>
#include <thread>
#include <unistd.h>

std::atomic<int> counter{0};

// What the processor has, even if it is asked not to tell.
bool processor_has(const char *flag) {
    std::FILE *file = std::fopen("/proc/cpuinfo", "r");
    char line[8192];
    bool found = false;
    while (std::fgets(line, sizeof line, file))
        if (std::strncmp(line, "flags", 5) == 0 && std::strstr(line, flag)) found = true;
    std::fclose(file);
    return found;
}

int main() {
    uint64_t sum = 0;
    auto add = [&](const char *source, uint64_t value) {
        std::printf("%s %llx\n", source, static_cast<unsigned long long>(value));
        sum = sum * 31 + value;
    };
    add("random_device", std::random_device()());
    for (const char *token : {"default", "/dev/urandom", "/dev/random"}) add(token, std::random_device(token)());
    uint64_t word = 0;
    if (getrandom(&word, sizeof word, 0) != sizeof word) return 1;
    add("getrandom", word);
    if (getentropy(&word, sizeof word)) return 1;
    add("getentropy", word);
    char large[4096];
    if (getrandom(large, sizeof large, 0) != sizeof large) return 1;
    const int file = open("/dev/urandom", O_RDONLY | O_NONBLOCK);
    if (read(file, &word, sizeof word) != sizeof word) return 1;
    add("/dev/urandom", word);
    close(file);
    if (processor_has(" rdrand")) {
        asm volatile("rdrand %0" : "=r"(word) : : "cc");
        add("rdrand", word);
    }
    if (processor_has(" rdseed")) {
        asm volatile("rdseed %0" : "=r"(word) : : "cc");
        add("rdseed", word);
    }
    if (processor_has(" rdpid")) {
        asm volatile("rdpid %0" : "=r"(word));
        add("rdpid", word);
    }
    uint32_t eax = 1, ebx, ecx = 0, edx;
    asm volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    add("cpuid", ebx);
    add("stack", reinterpret_cast<uintptr_t>(&sum));
    const int rounds = 500 + sum % 5000;
    auto count = [=] { for (int i = 0; i < rounds; i++) counter++; };
    std::thread first(count), second(count);
    first.join(), second.join();
}
