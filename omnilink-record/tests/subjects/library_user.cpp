// Buggy only by its library, racy_library.
#include "subject.hpp"
#include <thread>

extern "C" int library_increment();

int main(int argc, char **argv) {
    const int rounds = argument(argc, argv, 1, 20);
    auto run = [=] { for (int i = 0; i < rounds; i++) library_increment(); };
    std::thread first(run), second(run);
    first.join(), second.join();
    return verdict(library_increment() != 2 * rounds + 1, "lost counts");
}
