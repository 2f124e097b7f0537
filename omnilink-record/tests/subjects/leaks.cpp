// Leaks memory, which a sanitizer would complain about at the end if it could.
#include "subject.hpp"
#include <atomic>
#include <thread>

std::atomic<int> counter{0};
char *volatile leaked;

int main() {
    leaked = new char[100];
    leaked = nullptr;
    auto count = [] { for (int i = 0; i < 100; i++) counter++; };
    std::thread first(count), second(count);
    first.join(), second.join();
    return verdict(counter != 200, "counted wrong");
}
