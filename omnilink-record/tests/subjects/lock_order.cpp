// Buggy: two locks taken in both orders: a deadlock.
#include "subject.hpp"
#include <mutex>
#include <thread>

std::mutex left, right;
int balance = 0;

void transfer(std::mutex &from, std::mutex &to, int rounds) {
    for (int i = 0; i < rounds; i++) {
        std::lock_guard<std::mutex> first(from);
        balance++;
        std::lock_guard<std::mutex> second(to);
        balance--;
    }
}

int main(int argc, char **argv) {
    const int rounds = argument(argc, argv, 1, 20);
    std::thread there(transfer, std::ref(left), std::ref(right), rounds);
    std::thread back(transfer, std::ref(right), std::ref(left), rounds);
    there.join(), back.join();
}
