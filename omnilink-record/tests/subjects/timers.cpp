// Correct: every kind of timer, and threads that wait for what they send: handlers, sigwait, a thread of libc's,
// descriptors, alone and in epoll. No timer expires before its time.
#include "subject.hpp"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
std::atomic<int> alarms{0}, notices{0}, values{0};
std::atomic<bool> early{false};
bool good = true;

struct Span {
    Clock::time_point begin = Clock::now();
    void took(Clock::duration time) const {
        if (Clock::now() - begin < time) early = true;
    }
};

void expect(bool condition, const char *what) {
    if (!condition) std::printf("not so: %s\n", what), good = false;
}

int main() {
    signal(SIGALRM, [](int) { alarms++; });
    std::thread worker([] {
        std::atomic<int> cell{0};
        for (int i = 0; i < 3000; i++) cell++;
    });
    { // A handler, while waiting for it and while running.
        const Span span;
        itimerval often = {{0, 10000}, {0, 10000}}, none = {}, old;
        setitimer(ITIMER_REAL, &often, nullptr);
        while (alarms < 3) pause();
        while (alarms < 6) {}
        setitimer(ITIMER_REAL, &none, &old);
        span.took(60ms);
        expect(old.it_interval.tv_usec == 10000, "the interval is told");
        // A sleeper that is interrupted goes on for the rest only.
        setitimer(ITIMER_REAL, &often, nullptr);
        timespec left = {0, 200000000};
        const Span sleep;
        while (nanosleep(&left, &left) == -1 && errno == EINTR) {}
        sleep.took(200ms);
        setitimer(ITIMER_REAL, &none, nullptr);
        expect(alarm(5) == 0 && alarm(0) == 5, "an alarm tells what is left");
    }
    { // sigsuspend and sigtimedwait.
        sigset_t blocked, before;
        sigemptyset(&blocked), sigaddset(&blocked, SIGALRM), sigaddset(&blocked, SIGUSR1), sigaddset(&blocked, SIGRTMIN);
        pthread_sigmask(SIG_BLOCK, &blocked, &before);
        const int had = alarms;
        alarm(1);
        sigset_t none;
        sigemptyset(&none);
        expect(sigsuspend(&none) == -1 && alarms == had + 1, "sigsuspend");
        timespec second = {1, 0};
        const Span span;
        expect(sigtimedwait(&blocked, nullptr, &second) == -1 && errno == EAGAIN, "nothing comes");
        span.took(1s);
        timer_t timer;
        sigevent event = {};
        event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = SIGRTMIN, event.sigev_value.sival_int = 77;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        itimerspec once = {{0, 0}, {2, 0}}, left;
        timer_settime(timer, 0, &once, nullptr);
        timer_gettime(timer, &left);
        expect(left.it_value.tv_sec <= 2 && (left.it_value.tv_sec || left.it_value.tv_nsec), "what is left");
        siginfo_t info = {};
        expect(sigwaitinfo(&blocked, &info) == SIGRTMIN, "a timer's signal");
        expect(info.si_code == SI_TIMER && info.si_value.sival_int == 77, "what it tells");
        timer_delete(timer);
        // From ourselves.
        kill(getpid(), SIGUSR1);
        expect(sigwaitinfo(&blocked, &info) == SIGUSR1 && info.si_pid == getpid(), "a signal of our own");
        // By a descriptor, in epoll, beside a timer.
        const int signals = signalfd(-1, &blocked, 0), set = epoll_create1(0), clock = timerfd_create(CLOCK_MONOTONIC, 0);
        epoll_event wanted = {};
        wanted.events = EPOLLIN, wanted.data.fd = signals;
        epoll_ctl(set, EPOLL_CTL_ADD, signals, &wanted);
        wanted.data.fd = clock;
        epoll_ctl(set, EPOLL_CTL_ADD, clock, &wanted);
        epoll_event got = {};
        expect(epoll_wait(set, &got, 1, 1000) == 0, "nothing is ready");
        std::thread sender([] { kill(getpid(), SIGUSR1); });
        expect(epoll_wait(set, &got, 1, -1) == 1 && got.data.fd == signals, "a signal is ready");
        signalfd_siginfo read_info = {};
        expect(read(signals, &read_info, sizeof read_info) == sizeof read_info, "it is read");
        expect(read_info.ssi_signo == SIGUSR1 && read_info.ssi_pid == unsigned(getpid()), "it is ours");
        sender.join();
        const Span expiry;
        itimerspec periodic = {{0, 50000000}, {0, 50000000}};
        timerfd_settime(clock, 0, &periodic, nullptr);
        expect(epoll_wait(set, &got, 1, -1) == 1 && got.data.fd == clock, "the timer is ready");
        uint64_t times = 0;
        expect(read(clock, &times, sizeof times) == sizeof times && times >= 1, "how often");
        expiry.took(50ms);
        expect(read(dup(clock), &times, sizeof times) == sizeof times && times >= 1, "how often, by a copy");
        expiry.took(100ms);
        itimerspec stop = {};
        timerfd_settime(clock, 0, &stop, nullptr);
        pollfd list = {clock, POLLIN, 0};
        expect(poll(&list, 1, 500) == 0, "it is not set any more");
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    { // A thread of libc's calls a function.
        timer_t timer;
        sigevent event = {};
        event.sigev_notify = SIGEV_THREAD, event.sigev_value.sival_int = 5;
        event.sigev_notify_function = [](sigval value) { values = value.sival_int, notices++; };
        timer_create(CLOCK_REALTIME, &event, &timer);
        itimerspec once = {{0, 0}, {0, 1000000}};
        timer_settime(timer, 0, &once, nullptr);
        while (notices == 0) usleep(100);
        expect(values == 5, "the value");
        timer_delete(timer);
    }
    worker.join();
    return verdict(!good || early, "a timer was wrong");
}
