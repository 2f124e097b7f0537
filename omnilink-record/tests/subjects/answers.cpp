// What the kernel answers, one kind of question per argument. Correct: it ends with 0. What was answered decides how much
// it does afterwards, so runs differ if the answers do.
#include "subject.hpp"
#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#define REQUIRE(condition) do { if (!(condition)) { std::fprintf(stderr, "%d: %s\n", __LINE__, #condition); _exit(1); } } while (0)

long futex(void *word, int operation, unsigned value, const void *fourth = nullptr, void *word2 = nullptr, unsigned value3 = 0) {
    return syscall(SYS_futex, word, operation, value, fourth, word2, value3);
}

// As much as an answer says.
void work(uint64_t answer) {
    static std::atomic<int> counter{0};
    const int rounds = 100 + answer % 5000;
    auto count = [=] { for (int i = 0; i < rounds; i++) counter++; };
    std::thread first(count), second(count);
    first.join(), second.join();
}

void all_that_is_asked_for() {
    int ends[2];
    REQUIRE(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    std::thread reader([&] { char all[10]; REQUIRE(recv(ends[1], all, 10, MSG_WAITALL) == 10); });
    for (int i = 0; i < 10; i++) {
        REQUIRE(send(ends[0], "x", 1, 0) == 1);
        sched_yield();
    }
    reader.join();
    REQUIRE(!socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    std::thread receiver([&] {
        char bytes[3];
        iovec parts[3];
        mmsghdr messages[3] = {};
        for (int i = 0; i < 3; i++) {
            parts[i] = {bytes + i, 1};
            messages[i].msg_hdr.msg_iov = parts + i;
            messages[i].msg_hdr.msg_iovlen = 1;
        }
        REQUIRE(recvmmsg(ends[1], messages, 3, 0, nullptr) == 3);
    });
    for (int i = 0; i < 3; i++) {
        REQUIRE(send(ends[0], "x", 1, 0) == 1);
        sched_yield();
    }
    receiver.join();
}

void patience_of_sockets() {
    int ends[2];
    REQUIRE(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    const timeval patience{1000, 0};
    for (int option : {SO_RCVTIMEO, SO_SNDTIMEO})
        REQUIRE(!setsockopt(ends[0], SOL_SOCKET, option, &patience, sizeof patience));
    char bytes[4096] = {};
    REQUIRE(recv(ends[0], bytes, 1, 0) == -1 && errno == EAGAIN);
    while (send(ends[0], bytes, sizeof bytes, 0) > 0) {}
    REQUIRE(errno == EAGAIN);
}

void two_mappings() {
    auto *here = static_cast<int *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    auto *there = static_cast<int *>(mremap(here, 0, 4096, MREMAP_MAYMOVE));
    REQUIRE(there != MAP_FAILED && there != here);
    std::thread waiter([&] { while (!__atomic_load_n(here, __ATOMIC_SEQ_CST)) futex(here, FUTEX_WAIT, 0); });
    for (int i = 0; i < 20; i++) sched_yield();
    __atomic_store_n(there, 1, __ATOMIC_SEQ_CST);
    futex(there, FUTEX_WAKE, 1);
    waiter.join();
}

void no_times() {
    int word = 0;
    timespec negative{-1, 0}, large{0, 2000000000};
    for (timespec *time : {&negative, &large}) {
        REQUIRE(nanosleep(time, nullptr) == -1 && errno == EINVAL);
        REQUIRE(ppoll(nullptr, 0, time, nullptr) == -1 && errno == EINVAL);
        REQUIRE(futex(&word, FUTEX_WAIT_PRIVATE, 0, time) == -1 && errno == EINVAL);
    }
    timeval before{-1, 0};
    REQUIRE(select(0, nullptr, nullptr, nullptr, &before) == -1 && errno == EINVAL);
    REQUIRE(futex(reinterpret_cast<char *>(&word) + 1, FUTEX_WAIT_PRIVATE, 0) == -1 && errno == EINVAL);
    REQUIRE(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, nullptr, nullptr, 0) == -1 && errno == EINVAL);
    int ends[2];
    REQUIRE(!pipe(ends));
    std::thread writer([&] { REQUIRE(write(ends[1], "x", 1) == 1); });
    timeval longest{INT64_MAX, 0};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    REQUIRE(select(ends[0] + 1, &set, nullptr, nullptr, &longest) == 1);
    writer.join();
}

void counted() {
    rusage usage;
    REQUIRE(!getrusage(RUSAGE_SELF, &usage));
    work(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec + usage.ru_minflt + usage.ru_nvcsw + usage.ru_maxrss);
    tms ticks;
    work(times(&ticks) + ticks.tms_utime + ticks.tms_stime);
    struct sysinfo machine;
    REQUIRE(!sysinfo(&machine) && machine.totalram > 0 && machine.freeram > 0 && machine.mem_unit > 0);
    work(machine.uptime + machine.freeram + machine.loads[0] + machine.procs);
    work(getpgrp());
    uint64_t word = 0;
    const int source = open("/dev/urandom", O_RDONLY);
    REQUIRE(pread(source, &word, sizeof word, 0) == sizeof word);
    work(word);
    iovec parts[2] = {{&word, 4}, {reinterpret_cast<char *>(&word) + 4, 4}};
    REQUIRE(readv(source, parts, 2) == 8);
    work(word);
    REQUIRE(preadv(source, parts, 2, 0) == 8);
    work(word);
}

void without_the_first_thread() {
    static pthread_t first;
    first = pthread_self();
    static int ends[2];
    REQUIRE(!pipe(ends));
    std::thread([] {
        pthread_join(first, nullptr);
        uint64_t word = 0;
        const int source = open("/dev/urandom", O_RDONLY);
        REQUIRE(read(source, &word, sizeof word) == sizeof word);
        work(word);
        const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
        const itimerspec hour{{0, 0}, {3600, 0}};
        REQUIRE(!timerfd_settime(timer, 0, &hour, nullptr));
        REQUIRE(read(timer, &word, sizeof word) == sizeof word && word == 1);
        std::thread writer([] { REQUIRE(write(ends[1], "x", 1) == 1); });
        char byte;
        REQUIRE(read(ends[0], &byte, 1) == 1);
        writer.join();
        _exit(0);
    }).detach();
    pthread_exit(nullptr);
}

void deadlock_without_the_first_thread() {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    std::thread([] { pthread_mutex_lock(&mutex); }).detach();
    pthread_exit(nullptr);
}

// Wakes a child, which waits at a word, by changing another.
void operation() {
    auto *words = static_cast<int *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const pid_t child = fork();
    if (child == 0) {
        while (!__atomic_load_n(words + 1, __ATOMIC_SEQ_CST)) futex(words, FUTEX_WAIT, 0);
        _exit(0);
    }
    usleep(20000);
    __atomic_store_n(words + 1, 1, __ATOMIC_SEQ_CST);
    auto *count = reinterpret_cast<void *>(10);
    futex(words + 2, FUTEX_WAKE_OP, 1, count, words, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
    REQUIRE(words[0] == 1);
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
}

void handles_timers_only() {
    signal(SIGALRM, [](int) {});
    const itimerval often{{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &often, nullptr);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}

void files() {
    const int directory = open("/proc/sys/kernel/random", O_RDONLY | O_DIRECTORY);
    REQUIRE(openat(directory, "uuid", O_RDONLY) >= 0);
    REQUIRE(open("/proc/self/schedstat", O_RDONLY) >= 0);
}

void port() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    REQUIRE(!bind(listener, reinterpret_cast<sockaddr *>(&any), sizeof any));
}

void copied() {
    const int source = open("/dev/urandom", O_RDONLY), target = memfd_create("copy", 0);
    REQUIRE(sendfile(target, source, nullptr, 8) == 8);
}

int main(int, char **arguments) {
    const std::string what = arguments[1];
    if (what == "all") all_that_is_asked_for();
    if (what == "patience") patience_of_sockets();
    if (what == "mappings") two_mappings();
    if (what == "times") no_times();
    if (what == "counted") counted();
    if (what == "first thread") without_the_first_thread();
    if (what == "deadlock") deadlock_without_the_first_thread();
    if (what == "operation") operation();
    if (what == "timers") handles_timers_only();
    if (what == "files") files();
    if (what == "port") port();
    if (what == "copied") copied();
}
