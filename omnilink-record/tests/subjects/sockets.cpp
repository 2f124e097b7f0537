// Correct: a server that waits for its clients by epoll, over TCP on this machine.
#include "subject.hpp"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr int CLIENTS = 3, MESSAGES = 5;

int main() {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET, address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto *place = reinterpret_cast<sockaddr *>(&address);
    if (bind(listening, place, length) || listen(listening, CLIENTS) || getsockname(listening, place, &length)) return 1;

    const int watched = epoll_create1(0);
    epoll_event event{};
    event.events = EPOLLIN, event.data.fd = listening;
    epoll_ctl(watched, EPOLL_CTL_ADD, listening, &event);

    std::vector<std::thread> clients;
    bool answered[CLIENTS] = {};
    for (int c = 0; c < CLIENTS; c++)
        clients.emplace_back([&, c] {
            const int connection = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(connection, place, sizeof address)) std::abort();
            char byte = char(c);
            bool right = true;
            for (int m = 0; m < MESSAGES; m++) {
                if (write(connection, &byte, 1) != 1 || read(connection, &byte, 1) != 1) std::abort();
                right = right && byte == char(c + m + 1);
            }
            answered[c] = right;
            close(connection);
        });
    for (int open = 0, seen = 0; seen < CLIENTS || open > 0;) {
        epoll_event events[8];
        const int count = epoll_wait(watched, events, 8, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == listening) {
                event.data.fd = accept(listening, nullptr, nullptr);
                epoll_ctl(watched, EPOLL_CTL_ADD, event.data.fd, &event);
                open++, seen++;
                continue;
            }
            char byte;
            if (read(events[i].data.fd, &byte, 1) == 1) {
                byte++;
                if (write(events[i].data.fd, &byte, 1) != 1) std::abort();
            } else {
                close(events[i].data.fd);
                open--;
            }
        }
    }
    for (auto &client : clients) client.join();
    for (bool right : answered)
        if (!right) return 1;
    return 0;
}
