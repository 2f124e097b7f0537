// What the C++ subjects share. A subject exits with 0 if all is well and with 42 if its bug has shown.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int BUG = 42;

// Private work between shared accesses, as real programs have it: makes the window of a race small.
inline uint32_t work(uint32_t x, int rounds) {
    for (int i = 0; i < rounds; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        asm volatile("" ::"r"(x));
    }
    return x;
}

inline int argument(int argc, char **argv, int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
}

inline int verdict(bool bug, const char *what) {
    if (bug) std::printf("BUG: %s\n", what);
    return bug ? BUG : 0;
}
