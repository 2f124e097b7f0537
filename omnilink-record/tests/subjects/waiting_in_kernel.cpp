// Correct: threads that make each other wait inside the kernel: for room in pipes and sockets, for locked files, for the
// other end of a named pipe, for children. And descriptors that never wait.
#include "subject.hpp"
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// More than any pipe or socket holds.
constexpr size_t LARGE = 1 << 20;

// One thread sends in large and small pieces, vectors too; another receives.
bool passes_everything(int from, int to) {
    size_t received = 0;
    std::thread writer([=] {
        std::vector<char> bytes(LARGE, 'x');
        size_t sent = 0;
        while (sent < LARGE) {
            const size_t rest = LARGE - sent, piece = sent < LARGE / 2 ? rest : rest < 1000 ? rest : 1000;
            iovec parts[2] = {{bytes.data(), piece / 2}, {bytes.data(), piece - piece / 2}};
            const ssize_t count = piece % 3 ? write(to, bytes.data(), piece) : writev(to, parts, 2);
            if (count <= 0) break;
            sent += count;
        }
        close(to);
    });
    std::vector<char> bytes(30000);
    for (ssize_t count; (count = read(from, bytes.data(), bytes.size())) > 0;) received += count;
    writer.join();
    close(from);
    return received == LARGE;
}

bool never_waits() {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK)) return false;
    char byte = 0;
    bool good = read(ends[0], &byte, 1) == -1 && errno == EAGAIN;
    std::vector<char> bytes(LARGE);
    while (write(ends[1], bytes.data(), LARGE) > 0) {}
    good = good && errno == EAGAIN;
    close(ends[0]), close(ends[1]);
    return good;
}

// Two threads lock a file in turns, each by a descriptor of its own.
template <class Lock> bool excludes(const std::string &path, Lock lock) {
    std::atomic<int> inside{0};
    std::atomic<bool> good{true};
    auto run = [&] {
        const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
        for (int i = 0; i < 3; i++) {
            if (!lock(file, true)) good = false;
            if (inside.fetch_add(1) != 0) good = false;
            sched_yield();
            inside--;
            if (!lock(file, false)) good = false;
        }
        close(file);
    };
    std::thread first(run), second(run);
    first.join(), second.join();
    return good;
}

// Opening one end of a named pipe waits for the other.
bool meets(const std::string &path) {
    if (mkfifo(path.c_str(), 0600)) return false;
    char byte = 0;
    std::thread writer([&] {
        const int end = open(path.c_str(), O_WRONLY);
        if (write(end, "x", 1) != 1) std::abort();
        close(end);
    });
    const int end = open(path.c_str(), O_RDONLY);
    const bool good = read(end, &byte, 1) == 1 && byte == 'x';
    writer.join();
    close(end);
    return good;
}

// A child that is waited for while another thread lets it go on.
bool waits_for_child() {
    int ends[2];
    if (pipe(ends)) return false;
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        _exit(read(ends[0], &byte, 1) == 1 ? 5 : 6);
    }
    std::thread other([&] {
        if (write(ends[1], "x", 1) != 1) std::abort();
    });
    int status = 0;
    const bool good = waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5;
    other.join();
    close(ends[0]), close(ends[1]);
    return good;
}

int main() {
    std::string directory = std::filesystem::temp_directory_path() / "subject-XXXXXX";
    if (!mkdtemp(directory.data())) return 1;
    const std::string file = directory + "/file", fifo = directory + "/fifo";
    int ends[2], sockets[2];
    if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) return 1;
    bool good = passes_everything(ends[0], ends[1]) && passes_everything(sockets[0], sockets[1]) && never_waits();
    good = good && excludes(file, [](int file, bool on) { return flock(file, on ? LOCK_EX : LOCK_UN) == 0; });
    good = good && excludes(file, [](int file, bool on) {
        struct flock lock = {};
        lock.l_type = on ? F_WRLCK : F_UNLCK;
        return fcntl(file, on ? F_OFD_SETLKW : F_OFD_SETLK, &lock) == 0;
    });
    good = good && meets(fifo) && waits_for_child();
    unlink(file.c_str()), unlink(fifo.c_str()), rmdir(directory.c_str());
    return verdict(!good, "somebody waited in vain");
}
