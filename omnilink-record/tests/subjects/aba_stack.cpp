// Buggy: a Treiber stack whose nodes are reused at once. A node that is popped, and pushed again while another thread is
// between reading `next` and its compare-and-swap, gets two owners.
#include "subject.hpp"
#include <atomic>
#include <thread>
#include <vector>

struct Node {
    std::atomic<Node *> next{nullptr};
    std::atomic<int> owner{0};
};

std::atomic<Node *> head{nullptr};
std::atomic<bool> bug{false};
std::atomic<uint32_t> sink{0};
Node pool[6];

Node *pop() {
    Node *top = head.load(std::memory_order_acquire);
    while (top) {
        Node *next = top->next.load(std::memory_order_relaxed);
        if (head.compare_exchange_strong(top, next)) return top;
    }
    return nullptr;
}

void push(Node *node) {
    Node *top = head.load(std::memory_order_relaxed);
    do node->next.store(top, std::memory_order_relaxed);
    while (!head.compare_exchange_weak(top, node));
}

void own(Node *node, int thread) {
    if (node && node->owner.exchange(thread) != 0) bug = true;
}

void give_back(Node *node) {
    if (!node) return;
    node->owner.store(0);
    push(node);
}

int main(int argc, char **argv) {
    const int rounds = argument(argc, argv, 1, 20), count = argument(argc, argv, 2, 2);
    for (auto &node : pool) push(&node);
    std::vector<std::thread> threads;
    for (int t = 1; t <= count; t++)
        threads.emplace_back([=] {
            uint32_t x = t;
            for (int i = 0; i < rounds && !bug; i++) {
                Node *first = pop();
                own(first, t), x = work(x, 20);
                Node *second = pop();
                own(second, t), x = work(x, 20);
                give_back(first), x = work(x, 20);
                give_back(second), x = work(x, 20);
            }
            sink += x;
        });
    for (auto &thread : threads) thread.join();
    return verdict(bug, "a node has two owners");
}
