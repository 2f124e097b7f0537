/*
 * OmniLink's runtime for C: records which actions of a specification a program performs, with which
 * values, inside which timeboxes.
 *
 *   static const char *const params[] = {"elem"};
 *   static const omnilink_action push = {"Push", params, 1};
 *
 *   const omnilink_site *site = omnilink_site_new(&push, 1);   // once per place
 *
 *   omnilink_op op = omnilink_begin(site);                     // the timebox starts
 *   omnilink_arg_int(&op, 0, elem);
 *   stack_push(elem);
 *   omnilink_end(&op);                                         // the timebox ends
 *
 * Set OMNILINK_TRACE_DIR, or call omnilink_session_start, to record. If nothing is recorded,
 * omnilink_begin costs one load and everything else does nothing.
 *
 * Strings are UTF-8; bytes that are not are replaced. All functions may be called from any thread; an
 * omnilink_op belongs to the thread that made it, unless it came from omnilink_enter_async. Callbacks
 * must not throw. The number of an action or parameter that the site does not have is a mistake in the
 * program and ends it with a message.
 */
#ifndef OMNILINK_H
#define OMNILINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An action of the specification: an operator and the names of its parameters. */
typedef struct omnilink_action {
    const char *name;
    const char *const *params;
    size_t params_len;
} omnilink_action;

/* A place in the program that performs an action, or one of several, depending on the result. */
typedef struct omnilink_site omnilink_site;

/*
 * Registers a place; it lives as long as the process, so call this once per place. NULL if there is no
 * action, or if the actions have more than 64 different parameters. Parameters are numbered from 0 in
 * the order in which they first appear.
 */
const omnilink_site *omnilink_site_new(const omnilink_action *actions, size_t len);

/* The number of a parameter, or -1. */
int32_t omnilink_site_param(const omnilink_site *site, const char *name);

/* A call of an action; pass it by pointer to the functions below, and end or discard it exactly once. */
typedef struct omnilink_op {
    void *lane;
} omnilink_op;

/* Begins a call: the timebox starts now. */
omnilink_op omnilink_begin(const omnilink_site *site);
/* Prepares a call: arguments can be given, the timebox starts with omnilink_start, which must follow. */
omnilink_op omnilink_enter(const omnilink_site *site);
/* As omnilink_enter, for a call that may wait while others begin and end on its thread, or move to
 * another thread. */
omnilink_op omnilink_enter_async(const omnilink_site *site);
void omnilink_start(omnilink_op *op);

/* False if nothing is being recorded, or if the call is inside another recorded call. */
bool omnilink_is_recording(const omnilink_op *op);

/* Narrow the timebox: nothing of the call has happened before now; nothing will happen after now. */
void omnilink_refine_start(omnilink_op *op);
void omnilink_refine_end(omnilink_op *op);
/* The call has returned: the timebox ends now, unless omnilink_refine_end has ended it. Results can
 * still be recorded. */
void omnilink_returned(omnilink_op *op);

/* Which of the site's actions the call turned out to be. */
void omnilink_choose(omnilink_op *op, uint16_t action);
/* The call took no effect, for this reason. */
void omnilink_abort(omnilink_op *op, const char *reason, size_t reason_len);

/* The call is over. */
void omnilink_end(omnilink_op *op);
/* Nothing happened: the call leaves no event. */
void omnilink_discard(omnilink_op *op);
/* The call is over, and nobody knows whether it took effect. */
void omnilink_indeterminate(omnilink_op *op, const char *reason, size_t reason_len);

/* Values. A callback describes one value to the encoder; it may be called more than once. */
typedef struct omnilink_encoder omnilink_encoder;
typedef void (*omnilink_encode)(omnilink_encoder *encoder, const void *value);

void omnilink_put_bool(omnilink_encoder *encoder, bool value);
void omnilink_put_int(omnilink_encoder *encoder, int64_t value);
/* Above 2^63-1 the string of its digits. */
void omnilink_put_uint(omnilink_encoder *encoder, uint64_t value);
void omnilink_put_str(omnilink_encoder *encoder, const char *value, size_t len);
/* `elements` puts `len` values. */
void omnilink_put_tuple(omnilink_encoder *encoder, size_t len, omnilink_encode elements, const void *value);
/* `elements` puts any number of values, in any order. */
void omnilink_put_set(omnilink_encoder *encoder, omnilink_encode elements, const void *value);
/* `pairs` puts key, value, key, value, …: `len` pairs. A record has strings as keys. */
void omnilink_put_function(omnilink_encoder *encoder, size_t len, omnilink_encode pairs, const void *value);

/* Arguments: the value of a parameter, by its number. The last value counts; a parameter without value
 * is recorded as unknown. */
void omnilink_arg(omnilink_op *op, uint16_t param, omnilink_encode encode, const void *value);
void omnilink_arg_bool(omnilink_op *op, uint16_t param, bool value);
void omnilink_arg_int(omnilink_op *op, uint16_t param, int64_t value);
void omnilink_arg_uint(omnilink_op *op, uint16_t param, uint64_t value);
void omnilink_arg_str(omnilink_op *op, uint16_t param, const char *value, size_t len);

/* Notes a value that is no argument of the action. */
void omnilink_meta(omnilink_op *op, const char *key, omnilink_encode encode, const void *value);

/* The call that is open on this thread, from inside it. */
void omnilink_current_refine_start(void);
void omnilink_current_refine_end(void);
void omnilink_current_abort(const char *reason, size_t reason_len);
void omnilink_current_meta(const char *key, omnilink_encode encode, const void *value);

/* Gives the calling thread its lane now, under this name. */
void omnilink_open_lane(const char *name);
/* Records that the calling thread terminates. `note` may be NULL; else it calls omnilink_note. */
typedef struct omnilink_notes omnilink_notes;
void omnilink_terminate(void (*note)(omnilink_notes *notes, const void *value), const void *value);
void omnilink_note(omnilink_notes *notes, const char *key, omnilink_encode encode, const void *value);

/* A recorder; what is 0 or NULL is taken from the environment or the defaults. */
typedef struct omnilink_session_options {
    const char *directory;
    const char *spec;
    const char *next;
    /* Actions that every lane's header lists. */
    const omnilink_action *actions;
    size_t actions_len;
    bool has_seed;
    uint64_t seed;
} omnilink_session_options;

/* Starts recording. True if it worked; else `message` (if not NULL) gets why, as a C string cut to
 * `message_len` bytes. */
bool omnilink_session_start(const omnilink_session_options *options, char *message, size_t message_len);

typedef struct omnilink_summary {
    uint64_t events;
    uint32_t lanes;
    /* Recording stopped early, for lack of space for instance. */
    bool stopped;
} omnilink_summary;

/* Ends recording that omnilink_session_start has started. False if there is none. `exit_code` is written to run.json. */
bool omnilink_session_finish(int32_t exit_code, omnilink_summary *summary);

/* Every action passes through here when it begins, so that a debugger can wait for one of them: `entry` is
 * its number in the table of its lane's file, `start` the clock reading that its record starts with. */
void omnilink_action_begins(uint32_t entry, uint64_t start);

#ifdef __cplusplus
}
#endif

#endif
