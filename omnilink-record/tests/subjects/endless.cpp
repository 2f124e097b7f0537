// Two threads that never end, sharing a counter. The first argument names a file to write the process id to.
#include "subject.hpp"
#include <atomic>
#include <thread>
#include <unistd.h>

std::atomic<uint64_t> counter{0};

int main(int argc, char **argv) {
    if (argc > 1) {
        // Under the chaos scheduler `getpid` tells a made-up id.
        char id[32] = {};
        if (readlink("/proc/self", id, sizeof id - 1) == -1) return 1;
        std::FILE *file = std::fopen(argv[1], "w");
        std::fprintf(file, "%s\n", id);
        std::fclose(file);
    }
    std::thread other([] { for (;;) counter++; });
    for (;;) counter++;
}
