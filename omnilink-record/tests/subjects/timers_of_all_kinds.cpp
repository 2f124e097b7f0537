// Correct: waits for timers of every kind.
#include "subject.hpp"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>

static std::atomic<int> alarms{0}, calls{0};

int main() {
    std::signal(SIGALRM, [](int) { alarms++; });
    itimerval soon{{0, 0}, {0, 2000}};
    setitimer(ITIMER_REAL, &soon, nullptr);

    sigevent event{};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = [](sigval) { calls++; };
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
    itimerspec once{{0, 0}, {0, 3000000}};
    timer_settime(timer, 0, &once, nullptr);

    const int descriptor = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(descriptor, 0, &once, nullptr);
    uint64_t expired = 0;
    std::thread reader([&] {
        while (read(descriptor, &expired, sizeof expired) == -1 && errno == EINTR) {}
    });
    while (alarms == 0 || calls == 0) {
        timespec moment{0, 1000000};
        nanosleep(&moment, nullptr);
    }
    reader.join();
    timer_delete(timer);
    return expired == 1 ? 0 : 1;
}
