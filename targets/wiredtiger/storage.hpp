// WiredTiger as the fuzzer uses it: a database in a directory of its own with one table of integers, and sessions that
// have at most one transaction each. Calls return WiredTiger's codes.
#ifndef STORAGE_HPP
#define STORAGE_HPP

#include <wiredtiger.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>

#include "times.hpp"

using Value = std::int64_t;

// For what has to succeed, so that there is something to test.
inline void check(int code, const char *what) {
    if (code != 0) throw std::runtime_error(std::string(what) + ": " + wiredtiger_strerror(code));
}

// `name=time`, the way that WiredTiger wants it.
inline std::string timestamp(const char *name, Time time) {
    char text[64];
    std::snprintf(text, sizeof text, "%s_timestamp=%llx", name, static_cast<unsigned long long>(time));
    return text;
}

struct Close {
    void operator()(WT_SESSION *session) const { session->close(session, nullptr); }
    void operator()(WT_CONNECTION *connection) const { connection->close(connection, nullptr); }
};

// A thread's access to the table.
class Session {
public:
    explicit Session(WT_CONNECTION *connection) {
        WT_SESSION *session = nullptr;
        check(connection->open_session(connection, nullptr, "isolation=snapshot", &session), "opening a session");
        session_.reset(session);
        check(session->create(session, table, "key_format=q,value_format=q"), "creating the table");
        check(session->open_cursor(session, table, nullptr, nullptr, &cursor_), "opening a cursor");
        // One that overwrites does not tell, in old versions, whether there was something to remove.
        check(session->open_cursor(session, table, nullptr, "overwrite=false", &strict_), "opening a cursor");
    }

    int begin(Time read) {
        const auto at = read == never ? std::string() : "," + timestamp("read", read);
        return session_->begin_transaction(session_.get(), ("isolation=snapshot" + at).c_str());
    }

    int read(Key key, Value &value) {
        cursor_->set_key(cursor_, key);
        const int code = cursor_->search(cursor_);
        return code == 0 ? cursor_->get_value(cursor_, &value) : code;
    }

    int write(Key key, Value value) {
        cursor_->set_key(cursor_, key);
        cursor_->set_value(cursor_, value);
        return cursor_->insert(cursor_);
    }

    int remove(Key key) {
        strict_->set_key(strict_, key);
        return strict_->remove(strict_);
    }

    // After read, write or remove: lets go of the page.
    void reset() {
        cursor_->reset(cursor_);
        strict_->reset(strict_);
    }

    int prepare(Time prepare) {
        return session_->prepare_transaction(session_.get(), timestamp("prepare", prepare).c_str());
    }

    int commit(Time commit) {
        return session_->commit_transaction(session_.get(), timestamp("commit", commit).c_str());
    }

    int commit_prepared(Time commit, Time durable) {
        const auto at = timestamp("commit", commit) + "," + timestamp("durable", durable);
        return session_->commit_transaction(session_.get(), at.c_str());
    }

    int rollback() { return session_->rollback_transaction(session_.get(), nullptr); }

private:
    static constexpr const char *table = "table:storage";

    std::unique_ptr<WT_SESSION, Close> session_;
    WT_CURSOR *cursor_ = nullptr;
    WT_CURSOR *strict_ = nullptr;
};

// The database. It is gone when the process ends well.
class Database {
public:
    struct Settings {
        // How many sessions there will be, and how many that do nothing before each of them.
        std::size_t sessions;
        std::size_t idle_sessions;
        // Whether WiredTiger's messages are shown.
        bool is_loud;
    };

    explicit Database(const Settings &settings) : idle_(settings.idle_sessions), home_{new_directory()} {
        static WT_EVENT_HANDLER silence = {};
        silence.handle_error = [](auto...) { return 0; };
        silence.handle_message = [](auto...) { return 0; };
        // WiredTiger has some sessions of its own.
        const auto sessions = settings.sessions * (idle_ + 1) + 20;
        const auto config = "create,cache_size=500MB,session_max=" + std::to_string(sessions);
        WT_CONNECTION *connection = nullptr;
        check(wiredtiger_open(home_.path.c_str(), settings.is_loud ? nullptr : &silence, config.c_str(), &connection),
              "opening the database");
        connection_.reset(connection);
        check(set_time("stable", 1), "setting the stable time");
        check(set_time("oldest", 1), "setting the oldest time");
    }

    // One that lives as long as the database.
    Session &open_session() {
        for (std::size_t i = 0; i < idle_; ++i) {
            WT_SESSION *session = nullptr;
            check(connection_->open_session(connection_.get(), nullptr, nullptr, &session), "opening an idle session");
        }
        return sessions_.emplace_back(connection_.get());
    }

    // `name` is stable or oldest.
    int set_time(const char *name, Time time) {
        return connection_->set_timestamp(connection_.get(), timestamp(name, time).c_str());
    }

    int rollback_to_stable() { return connection_->rollback_to_stable(connection_.get(), nullptr); }

private:
    struct Directory {
        std::string path;

        ~Directory() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    };

    static std::string new_directory() {
        auto path = (std::filesystem::temp_directory_path() / "wiredtiger-XXXXXX").string();
        if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no new directory " + path + " can be made");
        return path;
    }

    std::size_t idle_;
    Directory home_;
    std::unique_ptr<WT_CONNECTION, Close> connection_;
    std::list<Session> sessions_;
};

#endif
