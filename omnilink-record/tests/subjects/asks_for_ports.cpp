// Correct: connects to itself and says by which ports, in the way that the argument tells.
#include "subject.hpp"
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

static sockaddr_in address{};
static auto *place = reinterpret_cast<sockaddr *>(&address);
static socklen_t length = sizeof address;

static void print(const sockaddr_in &told) { std::printf("port %d\n", ntohs(told.sin_port)); }

int main(int, char **argv) {
    const char *way = argv[1];
    address.sin_family = AF_INET, address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // One that is likely to be free.
    const int kind = strcmp(way, "datagram") ? SOCK_STREAM : SOCK_DGRAM, listening = socket(AF_INET, kind, 0), yes = 1;
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    for (int port = 20011; address.sin_port = htons(port), bind(listening, place, length); port++)
        if (port > 20999) return 1;
    if (kind == SOCK_STREAM && listen(listening, 5)) return 1;
    sockaddr_in told{};
    socklen_t room = sizeof told;
    auto *there = reinterpret_cast<sockaddr *>(&told);
    std::thread client([&] {
        const int connection = socket(AF_INET, kind, 0);
        if (connect(connection, place, length) || write(connection, "x", 1) != 1) std::abort();
        sockaddr_in mine{};
        socklen_t size = sizeof mine;
        if (!strcmp(way, "client")) {
            getsockname(connection, reinterpret_cast<sockaddr *>(&mine), &size);
            print(mine);
        }
        char byte;
        if (kind == SOCK_STREAM && read(connection, &byte, 1) != 0) std::abort();
        close(connection);
    });
    if (kind == SOCK_DGRAM) {
        char byte;
        if (recvfrom(listening, &byte, 1, 0, there, &room) != 1) std::abort();
        print(told);
    } else {
        const bool tells = !strcmp(way, "accept");
        const int connection = accept(listening, tells ? there : nullptr, tells ? &room : nullptr);
        if (!strcmp(way, "peer")) getpeername(connection, there, &room);
        if (!strcmp(way, "server")) getsockname(connection, there, &room);
        if (told.sin_port && strcmp(way, "server")) print(told);
        char byte;
        if (read(connection, &byte, 1) != 1) std::abort();
        close(connection);
    }
    client.join();
    return 0;
}
