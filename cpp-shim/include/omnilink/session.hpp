/*
 * The recorder, and what threads record about themselves.
 *
 * A program that never makes a Session records if OMNILINK_TRACE_DIR is set.
 */
#ifndef OMNILINK_SESSION_HPP
#define OMNILINK_SESSION_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "op.hpp"

namespace omnilink {

/// The settings of a recorder; empty fields are taken from the environment or the defaults.
struct SessionOptions {
    std::string directory = {};
    std::string spec = {};
    std::string next = {};
    /// Actions that every lane's header lists.
    std::vector<Action> actions = {};
    std::optional<std::uint64_t> seed = {};
};

/// Records from here to finish(), or to its destruction. A process has one at a time.
class Session {
public:
    /// Throws std::runtime_error if nothing can be recorded.
    explicit Session(const SessionOptions &options) {
        const detail::RawActions actions(options.actions);
        omnilink_session_options raw = {};
        raw.directory = options.directory.empty() ? nullptr : options.directory.c_str();
        raw.spec = options.spec.c_str();
        raw.next = options.next.c_str();
        raw.actions = actions.data();
        raw.actions_len = actions.size();
        raw.has_seed = options.seed.has_value();
        raw.seed = options.seed.value_or(0);
        char message[1024] = "";
        if (!omnilink_session_start(&raw, message, sizeof message)) throw std::runtime_error(message);
    }

    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    ~Session() {
        if (!finished_) finish(std::uncaught_exceptions() > 0 ? 1 : 0);
    }

    /// Ends the recording. The exit code is noted with the run.
    omnilink_summary finish(int exit_code = 0) {
        omnilink_summary summary = {};
        finished_ = true;
        omnilink_session_finish(exit_code, &summary);
        return summary;
    }

private:
    bool finished_ = false;
};

/// Gives the calling thread its lane now, under this name.
inline void open_lane(const std::string &name) { omnilink_open_lane(name.c_str()); }

/// Metadata of the end of a thread.
class Notes {
public:
    explicit Notes(omnilink_notes *raw) noexcept : raw_(raw) {}
    Notes(const Notes &) = delete;
    Notes &operator=(const Notes &) = delete;

    template <class T>
    void set(const std::string &key, const T &value) {
        detail::with_description(value, [&](omnilink_encode encode, const void *described) {
            omnilink_note(raw_, key.c_str(), encode, described);
        });
    }

private:
    omnilink_notes *raw_;
};

/// Records that the calling thread terminates.
inline void terminate() { omnilink_terminate(nullptr, nullptr); }

/// The same, with what `note(Notes &)` notes.
template <class Note>
void terminate(const Note &note) {
    struct Noting {
        const Note &note;
        mutable std::exception_ptr error;
    };
    const Noting noting{note, nullptr};
    const auto call = [](omnilink_notes *raw, const void *value) noexcept {
        const auto &self = *static_cast<const Noting *>(value);
        Notes notes(raw);
        try {
            self.note(notes);
        } catch (...) {
            self.error = std::current_exception();
        }
    };
    omnilink_terminate(call, &noting);
    if (noting.error) std::rethrow_exception(noting.error);
}

}  // namespace omnilink

#endif
