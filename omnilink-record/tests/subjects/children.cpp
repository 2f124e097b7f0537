// Correct: children by fork, by vfork and exec, and a pipe between threads.
#include "subject.hpp"
#include <atomic>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

std::atomic<int> counter{0};

int main() {
    int ends[2];
    if (pipe(ends)) return 1;
    std::thread reader([&] {
        char byte;
        while (read(ends[0], &byte, 1) == 1) counter += byte;
    });
    std::thread writer([&] {
        for (char byte = 1; byte <= 10; byte++)
            if (write(ends[1], &byte, 1) != 1) std::abort();
        close(ends[1]);
    });
    int status = 0;
    const pid_t copy = fork();
    if (copy == 0) {
        for (int i = 0; i < 1000; i++) counter++;
        _exit(counter >= 1000 ? 7 : 8);
    }
    bool good = waitpid(copy, &status, 0) == copy && WIFEXITED(status) && WEXITSTATUS(status) == 7;
    good = good && system("exit 9") == 9 << 8;
    reader.join(), writer.join();
    return verdict(!good || counter != 55, "children or bytes were lost");
}
