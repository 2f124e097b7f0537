// Buggy only by a library, racy_library, that it opens, closes and opens again; the first argument is its file. With a
// second argument it opens it once, and counts so far.
#include "subject.hpp"
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <thread>

bool loses_counts(const char *file, int rounds) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) std::abort();
    auto increment = reinterpret_cast<int (*)()>(dlsym(library, "library_increment"));
    auto run = [=] { for (int i = 0; i < rounds; i++) increment(); };
    std::thread first(run), second(run);
    first.join(), second.join();
    const bool lost = increment() != 2 * rounds + 1;
    dlclose(library);
    return lost;
}

// What is where a closed library was must not be written to.
bool keeps_memory() {
    constexpr size_t LENGTH = 1 << 22;
    void *memory = mmap(nullptr, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::thread([] {}).join();
    bool kept = true;
    for (size_t i = 0; i < LENGTH; i++) kept = kept && static_cast<char *>(memory)[i] == 0;
    return kept;
}

int main(int argc, char **argv) {
    constexpr int FEW = 20;
    if (argc > 2) return verdict(loses_counts(argv[1], argument(argc, argv, 2, FEW)), "lost counts");
    const bool first = loses_counts(argv[1], FEW), kept = keeps_memory(), second = loses_counts(argv[1], FEW);
    if (!kept) return 1;
    return verdict(first || second, "lost counts");
}
