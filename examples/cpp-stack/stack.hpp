// The stack under test: Treiber's, without locks, whose nodes are used again.
//
// `head` names the node on top, every node the one below it. A push sets `head` from the old top to its node, a pop
// from the top to the node below, both by compare-and-swap: if `head` has changed meanwhile they begin again.
//
// That `head` *is* what it was does not mean that it *was not changed*. While a pop sleeps between reading and
// swapping, others may pop the same node and the one below it, and push the first one again. `head` is the same, the
// swap succeeds, and the new top is a node that is in nobody's stack: the ABA problem. The fix is to count changes in
// `head` itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

/// What `head` tells.
enum class Head {
    /// Which node is on top, and nothing else: the buggy one.
    plain,
    /// Also how often it was changed, so that it never is the same again.
    counted,
};

/// Names a node; 0 is none.
using Node = std::uint32_t;

/// The nodes that a thread has popped and will push again, the last one first.
using OwnNodes = std::vector<Node>;

/// A stack that many threads may use at once, each with nodes of its own.
class Stack {
public:
    static constexpr std::size_t capacity = 1 << 16;

    /// An empty stack. Pops call `window` between reading and swapping, for those who want something to happen there.
    explicit Stack(Head kind, std::function<void()> window = {})
        : kind_(kind), window_(std::move(window)), nodes_(capacity + 1) {}

    /// Puts an element on top; false, and nothing happened, if there is no node for it.
    bool push(std::int64_t elem, OwnNodes &own) {
        const auto node = take(own);
        if (node == 0) return false;
        nodes_[node].elem.store(elem, std::memory_order_relaxed);
        auto head = head_.load(std::memory_order_relaxed);
        do {
            nodes_[node].below.store(top(head), std::memory_order_relaxed);
            // Release: who sees the node on top sees what is in it.
        } while (!head_.compare_exchange_weak(head, changed(head, node), std::memory_order_release,
                                              std::memory_order_relaxed));
        return true;
    }

    /// Takes the element on top.
    std::optional<std::int64_t> pop(OwnNodes &own) {
        auto head = head_.load(std::memory_order_acquire);
        while (top(head) != 0) {
            const auto node = top(head);
            const auto elem = nodes_[node].elem.load(std::memory_order_relaxed);
            const auto below = nodes_[node].below.load(std::memory_order_relaxed);
            if (window_) window_();
            if (head_.compare_exchange_strong(head, changed(head, below), std::memory_order_acquire)) {
                own.push_back(node);
                return elem;
            }
        }
        return std::nullopt;
    }

private:
    struct Cell {
        std::atomic<std::int64_t> elem{0};
        std::atomic<Node> below{0};
    };

    static Node top(std::uint64_t head) { return static_cast<Node>(head); }

    /// What `head` is changed to. The upper half counts, if it does.
    std::uint64_t changed(std::uint64_t head, Node top) const {
        const std::uint64_t count = (head >> 32) + (kind_ == Head::counted ? 1 : 0);
        return count << 32 | top;
    }

    /// A node that nobody else has; 0 if there is none.
    Node take(OwnNodes &own) {
        if (!own.empty()) {
            const auto node = own.back();
            own.pop_back();
            return node;
        }
        const auto fresh = fresh_.fetch_add(1, std::memory_order_relaxed);
        if (fresh <= capacity) return static_cast<Node>(fresh);
        return 0;
    }

    const Head kind_;
    const std::function<void()> window_;
    std::vector<Cell> nodes_;
    std::atomic<std::uint64_t> head_{0};
    std::atomic<std::uint64_t> fresh_{1};
};
