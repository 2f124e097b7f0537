// Threads that add to a number. Then one of them goes wrong as the first argument says, or nothing does.

#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

int shared;
std::mutex held;

static inline __attribute__((always_inline)) int dereference(volatile int* pointer) { return *pointer; }
static inline __attribute__((always_inline)) void give_up() { std::abort(); }
static void handle(int) { std::abort(); }

__attribute__((noinline)) int overflow(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return overflow(depth + 1) + room[0];
}

__attribute__((noinline)) void fail(const char* how) {
  auto is = [how](const char* other) { return std::strcmp(how, other) == 0; };
  if (is("segv")) shared += dereference(nullptr);
  if (is("abort")) give_up();
  if (is("assert")) assert(shared == -1);
  if (is("throw")) throw std::runtime_error("as told");
  if (is("overflow")) shared += overflow(1);
  if (is("null")) {
    void (*volatile nothing)() = nullptr;
    nothing();
  }
  if (is("handler")) {
    std::signal(SIGUSR1, handle);
    std::raise(SIGUSR1);
  }
  // In the C library.
  if (is("library")) std::printf("%d\n", std::atoi(reinterpret_cast<const char*>(1)));
  if (is("exit")) std::exit(7);
  if (is("deadlock")) {
    held.lock();
    held.lock();
  }
}

static void work(const char* how) {
  for (int i = 0; i < 100; i++) shared = shared + 1;
  fail(how);
  // Not a tail call: the frame stays.
  shared = shared + 1;
}

int main(int, char** argv) {
  std::thread other([] {
    for (int i = 0; i < 1000; i++) shared = shared + 1;
  });
  std::thread worker(work, argv[1]);
  worker.join();
  other.join();
  std::printf("%d\n", shared);
}
