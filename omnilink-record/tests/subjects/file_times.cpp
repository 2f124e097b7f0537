// Correct: threads write to files, and the first one prints when they were changed, by every call that tells. Times
// never go back, and a file that is written to later is not older.
#include "subject.hpp"
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static long long nanoseconds(const timespec &time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

static void print(const char *name, const struct stat &told) {
    std::printf("%s %lld %lld %lld\n", name, nanoseconds(told.st_atim), nanoseconds(told.st_mtim), nanoseconds(told.st_ctim));
}

static long long changed(const char *name, int file) {
    struct stat by_name, by_link, by_descriptor;
    if (stat(name, &by_name) || lstat(name, &by_link) || fstat(file, &by_descriptor)) std::abort();
    print("stat", by_name), print("lstat", by_link), print("fstat", by_descriptor);
    struct statx more;
    if (statx(AT_FDCWD, name, 0, STATX_ALL, &more)) std::abort();
    std::printf("statx %lld.%u %lld.%u\n", (long long)more.stx_mtime.tv_sec, more.stx_mtime.tv_nsec,
                (long long)more.stx_btime.tv_sec, more.stx_btime.tv_nsec);
    if (nanoseconds(by_name.st_mtim) != more.stx_mtime.tv_sec * 1000000000LL + more.stx_mtime.tv_nsec) std::abort();
    return nanoseconds(by_name.st_mtim);
}

int main() {
    const std::string directory = std::filesystem::temp_directory_path();
    std::string early_path = directory + "/early-XXXXXX", late_path = directory + "/late-XXXXXX";
    char *early = early_path.data(), *late = late_path.data();
    const int files[] = {mkstemp(early), mkstemp(late)};
    const long long made = changed(early, files[0]);
    std::thread writer([&] {
        if (write(files[0], "early", 5) != 5) std::abort();
        std::this_thread::sleep_for(std::chrono::seconds(2));
        if (pwrite(files[1], "late", 4, 0) != 4) std::abort();
    });
    std::thread toucher([&] { close(open(early, O_RDWR | O_CREAT)); });
    writer.join(), toucher.join();
    const long long first = changed(early, files[0]), second = changed(late, files[1]);
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    std::printf("%lld\n", nanoseconds(now));
    // What the program sets itself, it finds again; what was there before it keeps its time.
    const timespec set[] = {now, now};
    struct stat told, old;
    if (utimensat(AT_FDCWD, late, set, 0) || stat(late, &told) || stat("/proc/self/exe", &old)) std::abort();
    print("executable", old);
    unlink(early), unlink(late);
    const bool right = made <= first && first + 2000000000LL <= second && second <= nanoseconds(now) &&
                       nanoseconds(told.st_mtim) == nanoseconds(now);
    return right ? 0 : 1;
}
