// Buggy only by functions that are written in assembler: the first argument says which.
#include "subject.hpp"
#include <cstring>
#include <thread>

extern "C" void typed_increment();
extern "C" void untyped_increment();
extern "C" void looping_increment();
extern "C" void computing_increment();
extern "C" int assembler_counted();

extern "C" {
int counted_at_top_level = 0;
void top_level_increment();
}

asm(".text\n"
    ".globl top_level_increment\n"
    "top_level_increment:\n"
    "    movl counted_at_top_level(%rip), %eax\n"
    "    incl %eax\n"
    "    movl %eax, counted_at_top_level(%rip)\n"
    "    ret\n");

int main(int argc, char **argv) {
    constexpr int ROUNDS = 20;
    const char *which = argc > 1 ? argv[1] : "typed";
    // Not called but by its address, as a callback is.
    void (*increment)() = nullptr;
    if (!std::strcmp(which, "typed")) increment = typed_increment;
    if (!std::strcmp(which, "untyped")) increment = untyped_increment;
    if (!std::strcmp(which, "looping")) increment = looping_increment;
    if (!std::strcmp(which, "computing")) increment = computing_increment;
    if (!std::strcmp(which, "top-level")) increment = top_level_increment;
    if (!increment) return 2;
    volatile uint32_t sink = 0;
    auto run = [&] { for (int i = 0; i < ROUNDS; i++) sink = work(sink + 1, 80), increment(); };
    std::thread first(run), second(run);
    first.join(), second.join();
    const int counted = assembler_counted() + counted_at_top_level;
    if (counted > 2 * ROUNDS) return 3;
    return verdict(counted != 2 * ROUNDS, "lost counts");
}
