// A snapshot that has the later of two commits and not the earlier one: `torn-snapshot IDLE-SESSIONS DIRECTORY`.
//
// One thread has two transactions open, and commits one after the other. Another one begins transactions and reads
// what both have written. To make a snapshot, WiredTiger looks at one session after the other for transactions that are
// still going on, while these may commit: it finds the first one open, both commit, and it finds the second one done.
// Between the two sessions there are others, so that looking takes a while.
#include <atomic>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>

#include <omnilink.hpp>

#include "storage.hpp"

namespace {

// Calls of one transaction, recorded as actions of Storage.
class Transaction {
public:
    Transaction(Session &session, std::int64_t number) : session_(session), number_(number) {
        static const omnilink::Site site("Begin", {"txn", "read", "status"});
        record(site, [&](auto &op) {
            op.set("read", never);
            return session_.begin(never);
        });
    }

    Value read(Key key) {
        static const omnilink::Site site("Read", {"txn", "key", "value", "status"});
        Value value = 0;
        record(site, [&](auto &op) {
            op.set("key", key);
            const int code = session_.read(key, value);
            op.set("value", value);
            return code;
        });
        return value;
    }

    void write(Key key, Value value) {
        static const omnilink::Site site("Write", {"txn", "key", "value", "status"});
        record(site, [&](auto &op) {
            op.set("key", key);
            op.set("value", value);
            return session_.write(key, value);
        });
    }

    void commit(Time time) {
        static const omnilink::Site site("Commit", {"txn", "commit"});
        omnilink::Op op(site);
        op.set("txn", number_);
        op.set("commit", time);
        check(session_.commit(time), "committing");
        op.end();
    }

private:
    template <class Call>
    void record(const omnilink::Site &site, const Call &call) {
        omnilink::Op op(site);
        op.set("txn", number_);
        const int code = call(op);
        if (code != WT_NOTFOUND) check(code, "a call");
        op.set("status", code == 0 ? "OK" : "NOTFOUND");
        op.end();
    }

    Session &session_;
    std::int64_t number_;
};

// Few, so that what is recorded is short. It is tried again and again.
constexpr Time rounds = 250;
constexpr int attempts = 1000;

// Whether it happened.
bool is_torn(Database &database) {
    Session &first = database.open_session();
    Session &second = database.open_session();
    Session &reader = database.open_session();
    std::atomic<bool> is_over = false;

    std::thread writer([&] {
        for (Time round = 1; round <= rounds && !is_over; ++round) {
            Transaction earlier(first, 2 * round);
            Transaction later(second, 2 * round + 1);
            earlier.write(1, round);
            later.write(2, round);
            earlier.commit(round + 1);
            later.commit(round + 1);
        }
        is_over = true;
    });

    bool is_found = false;
    for (std::int64_t number = 2 * rounds + 2; !is_over; ++number) {
        Transaction transaction(reader, number);
        is_found = transaction.read(1) < transaction.read(2);
        if (is_found) is_over = true;
        transaction.commit(rounds + 2);
    }
    writer.join();
    return is_found;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::cerr << "Usage: torn-snapshot IDLE-SESSIONS DIRECTORY\n";
        return 2;
    }
    for (int attempt = 0; attempt < attempts; ++attempt) {
        std::filesystem::remove_all(argv[2]);
        Database database({3, std::stoul(argv[1]), true});
        const omnilink::Session session({argv[2], "Storage", "Next"});
        if (is_torn(database)) {
            std::cout << "a snapshot has the second commit, and not the first; recorded in " << argv[2] << "\n";
            return 1;
        }
    }
    std::cout << "it did not happen\n";
}
