// Makes a function while it runs, as just-in-time compilers do: written first, then made executable.
#include "subject.hpp"
#include <cstring>
#include <sys/mman.h>
#include <thread>

int main() {
    const unsigned char code[] = {0xff, 0x07, 0xc3}; // incl (%rdi); ret
    void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    std::memcpy(memory, code, sizeof code);
    if (mprotect(memory, 4096, PROT_READ | PROT_EXEC)) return 1;
    auto increment = reinterpret_cast<void (*)(int *)>(memory);
    int counts[2] = {0, 0};
    std::thread first(increment, counts), second(increment, counts + 1);
    first.join(), second.join();
    return counts[0] + counts[1] == 2 ? 0 : 1;
}
