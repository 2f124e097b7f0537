// A function whose address is computed: without symbols and unwind tables nothing leads to it.
#include "subject.hpp"
#include <thread>

// The address is the sum of this and of the distance, and neither is an address of code.
extern "C" char hidden_distance[];
asm(".text\n"
    "    .type hidden_increment, @function\n"
    "hidden_increment:\n"
    "    movl hidden_count(%rip), %eax\n"
    "    incl %eax\n"
    "    movl %eax, hidden_count(%rip)\n"
    "    ret\n"
    "    .size hidden_increment, . - hidden_increment\n"
    "    .data\n"
    "    .globl hidden_count, hidden_distance\n"
    "    .balign 8\n"
    "hidden_count: .quad 0\n"
    "hidden_distance: .quad hidden_increment - hidden_count\n"
    "    .text\n");
extern "C" long hidden_count;

int main() {
    constexpr int ROUNDS = 20;
    const long distance = *reinterpret_cast<volatile long *>(hidden_distance);
    auto increment = reinterpret_cast<void (*)()>(reinterpret_cast<char *>(&hidden_count) + distance);
    auto run = [=] { for (int i = 0; i < ROUNDS; i++) increment(); };
    std::thread first(run), second(run);
    first.join(), second.join();
    return verdict(hidden_count != 2 * ROUNDS, "lost counts");
}
