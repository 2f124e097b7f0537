// Makes the ABA problem happen, and records it: `aba plain|counted DIRECTORY`.
//
// Chance needs a while to find the one schedule in which it goes wrong. Here a pop that has read the top of the stack
// waits until a second thread has popped this node and the one below, and has pushed the first one again.
#include <iostream>
#include <string>
#include <thread>

#include <omnilink.hpp>

#include "stack.hpp"

namespace {

void push(Stack &stack, std::int64_t elem, OwnNodes &own) {
    static const omnilink::Site site("Push", {"elem"});
    omnilink::Op op(site);
    op.set("elem", elem);
    if (stack.push(elem, own)) op.end();
    else op.discard();
}

void pop(Stack &stack, OwnNodes &own) {
    static const omnilink::Site site({{"Pop", {"elem"}}, {"PopEmpty", {}}});
    omnilink::Op op(site);
    const auto elem = op.call([&] { return stack.pop(own); });
    if (elem) {
        op.choose("Pop");
        op.set("elem", *elem);
    } else {
        op.choose("PopEmpty");
    }
    op.end();
}

void record(Head head) {
    // The first pop is interrupted, those that interrupt it are not. Two caches of nodes, as two threads would have
    // them.
    OwnNodes own, others[2];
    bool is_first = true;
    Stack *system = nullptr;
    Stack stack(head, [&] {
        if (!std::exchange(is_first, false)) return;
        std::thread([&] {
            pop(*system, others[0]);      // the node that the interrupted pop has read,
            pop(*system, others[1]);      // the one below it,
            push(*system, 4, others[0]);  // and the first one again.
        }).join();
    });
    system = &stack;
    for (const std::int64_t elem : {1, 2, 3}) push(stack, elem, own);
    for (int pops = 0; pops < 3; pops++) pop(stack, own);
}

}  // namespace

int main(int argc, char **argv) {
    const std::string head = argc == 3 ? argv[1] : "";
    if (head != "plain" && head != "counted") {
        std::cerr << "Usage: aba plain|counted DIRECTORY\n";
        return 2;
    }
    omnilink::Session session({argv[2], "Stack", "Next"});
    record(head == "plain" ? Head::plain : Head::counted);
}
