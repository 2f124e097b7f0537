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
 * must not throw. An action or parameter number that the site does not have is an error of the
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

/*
 * As omnilink_site_new, and declares which parameters are results of the call: those of `results`, in every action that
 * has them; all others are arguments. The declaration goes to run.json, for checks that need to know. NULL also if no action has a
 * parameter of such a name. (That the actions of a place are outcomes of the same call is declared by both functions.)
 */
const omnilink_site *omnilink_site_with_results(const omnilink_action *actions, size_t len, const char *const *results,
                                                size_t results_len);

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

/* Selects which of the site's actions the call performed. */
void omnilink_choose(omnilink_op *op, uint16_t action);
/* The call took no effect, for this reason. */
void omnilink_abort(omnilink_op *op, const char *reason, size_t reason_len);

/* The call is over. */
void omnilink_end(omnilink_op *op);
/* Nothing happened: the call leaves no event. */
void omnilink_discard(omnilink_op *op);
/* The call ended without omnilink_end: it may or may not have taken effect, and checks of the trace warn of a probable
 * mistake. */
void omnilink_drop(omnilink_op *op);
/* The call is over, and it may or may not have taken effect. */
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

/* Records metadata: a value that is not an argument of the action. */
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

/* A recorder; fields that are 0 or NULL are taken from the environment or the defaults. */
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

/* Starts recording. Returns true on success; otherwise `message` (if not NULL) gets the error, as a C string of at most
 * `message_len` bytes. */
bool omnilink_session_start(const omnilink_session_options *options, char *message, size_t message_len);

typedef struct omnilink_summary {
    uint64_t events;
    uint32_t lanes;
    /* Recording stopped early, for lack of space for instance. */
    bool stopped;
} omnilink_summary;

/* Ends recording that omnilink_session_start has started. False if there is none. `exit_code` goes to run.json. */
bool omnilink_session_finish(int32_t exit_code, omnilink_summary *summary);

/*
 * Random choices that repeat exactly, in every language: a seed and a stream give the same numbers and choices to C,
 * C++ and Rust, whose documentation of omnilink_runtime::fuzz::random describes the algorithm.
 */
typedef struct omnilink_random omnilink_random;

/* Generator number `stream` of a seed. The fuzz loop gives stream i to thread i; those from 2^63 on are free. */
omnilink_random *omnilink_random_new(uint64_t seed, uint64_t stream);
void omnilink_random_free(omnilink_random *random);
/* Any 64-bit number. */
uint64_t omnilink_random_number(omnilink_random *random);
/* A number from 0 to n - 1. `n` must not be 0. */
uint64_t omnilink_random_below(omnilink_random *random, uint64_t n);
/* A number from `first` to `last`, both included. There must be one. */
int64_t omnilink_random_int(omnilink_random *random, int64_t first, int64_t last);
uint64_t omnilink_random_uint(omnilink_random *random, uint64_t first, uint64_t last);
void omnilink_random_fill(omnilink_random *random, void *bytes, size_t len);

/*
 * The fuzz loop: threads that call a system at random and record what it does. It is the loop of
 * omnilink_runtime::fuzz, whose documentation describes runs, options, environment and exit codes.
 */
typedef struct omnilink_fuzz omnilink_fuzz;

/* Callbacks must not throw. A callback that fails reports the error here; its return value is then ignored. */
typedef struct omnilink_failure omnilink_failure;
void omnilink_fail(omnilink_failure *failure, const char *message, size_t message_len);

/* The argument of callbacks; valid until they return. */
typedef struct omnilink_fuzz_context {
    /* Shared by all threads. */
    void *system;
    /* The thread's own; NULL while it is being made. */
    void *state;
    /* Number of the thread, from 0, and how many there are. */
    size_t thread;
    size_t threads;
    omnilink_random *random;
    /* The call that has begun, in steps; else NULL. The loop ends it. */
    omnilink_op *op;
    /* What to note about the thread's end, in clean_up; else NULL. */
    omnilink_notes *notes;
    omnilink_failure *failure;
    /* What comes next, in steps; else NULL. See omnilink_fuzz_then. */
    struct omnilink_sequel *sequel;
} omnilink_fuzz_context;

/* What to do at the beginning and the end of threads. All but `user` may be NULL. */
typedef struct omnilink_fuzz_hooks {
    /* Makes a thread's state: one thread after the other, before the first step of any. */
    void *(*make_state)(const omnilink_fuzz_context *context, void *user);
    void (*drop_state)(void *state, void *user);
    /* Not called after a step that failed. */
    void (*clean_up)(const omnilink_fuzz_context *context, void *user);
    /* Handed to all of them, from all threads. */
    void *user;
} omnilink_fuzz_hooks;

/* Performs a step. False if it is not supported now and nothing happened: then nothing is recorded. */
typedef bool (*omnilink_fuzz_perform)(const omnilink_fuzz_context *context, void *user);

/* A fuzzer of the specification `spec`. The targets of `user` pointers must outlive it. */
omnilink_fuzz *omnilink_fuzz_new(const char *spec, const omnilink_fuzz_hooks *hooks);
void omnilink_fuzz_free(omnilink_fuzz *fuzz);
/* Adds a step: an action, or several of which `perform` chooses one by omnilink_choose. False if there is no action,
 * or if they have more than 64 different parameters. */
bool omnilink_fuzz_step(omnilink_fuzz *fuzz, const char *name, const omnilink_action *actions, size_t actions_len,
                        omnilink_fuzz_perform perform, void *user);
/* In a step: the thread tries the step `name` next, independent of its weight, if this one is performed. False if there is no
 * such step. */
bool omnilink_fuzz_then(const omnilink_fuzz_context *context, const char *name, size_t name_len);
/* Adds `--name VALUE` to the command line; `--name` without a value if `value` is empty. */
void omnilink_fuzz_option(omnilink_fuzz *fuzz, const char *name, const char *value, const char *help);

/* Declares which parameters are results of their calls; all other parameters of all actions are arguments. The declaration
 * goes to run.json, for checks that need to know. A parameter that its action does not have prevents the run. */
typedef struct omnilink_result {
    const char *action;
    const char *param;
} omnilink_result;
void omnilink_fuzz_results(omnilink_fuzz *fuzz, const omnilink_result *results, size_t len);

/* Settings; command line and environment override them. */
void omnilink_fuzz_next_relation(omnilink_fuzz *fuzz, const char *next);
void omnilink_fuzz_threads(omnilink_fuzz *fuzz, size_t threads);
void omnilink_fuzz_operations(omnilink_fuzz *fuzz, uint64_t operations);
void omnilink_fuzz_total_operations(omnilink_fuzz *fuzz, uint64_t operations);
void omnilink_fuzz_duration(omnilink_fuzz *fuzz, uint64_t milliseconds);
void omnilink_fuzz_seed(omnilink_fuzz *fuzz, uint64_t seed);
void omnilink_fuzz_weight(omnilink_fuzz *fuzz, const char *name, uint32_t weight);
void omnilink_fuzz_trace_directory(omnilink_fuzz *fuzz, const char *directory);
void omnilink_fuzz_consecutive_failures(omnilink_fuzz *fuzz, uint64_t failures);

/* The options with which the system is constructed. */
typedef struct omnilink_fuzz_options omnilink_fuzz_options;
/* The value of one of the fuzzer's own options, `*value_len` bytes; NULL if it was not given. */
const char *omnilink_options_get(const omnilink_fuzz_options *options, const char *name, size_t *value_len);
uint64_t omnilink_options_seed(const omnilink_fuzz_options *options);
size_t omnilink_options_threads(const omnilink_fuzz_options *options);
/* Constructs the system. If it fails, the message is printed and the exit code is that of wrong use. */
typedef void *(*omnilink_make_system)(const omnilink_fuzz_options *options, omnilink_failure *failure, void *user);

/* A fuzzer's whole main: reads command line and environment, constructs the system, runs, prints the results. Returns
 * the exit code. Without `make_system`, `user` is the system. At most once per fuzzer. */
int omnilink_fuzz_main(omnilink_fuzz *fuzz, int argc, const char *const *argv, omnilink_make_system make_system,
                       void *user);

typedef struct omnilink_fuzz_report {
    uint64_t seed;
    uint64_t operations;
    uint64_t events;
    int exit_code;
} omnilink_fuzz_report;

/* Runs with the settings above alone, and prints nothing. `message` (if not NULL) gets the result, or the error if the run
 * could not begin: then false is returned and `report` (which may be NULL, too) is unchanged. */
bool omnilink_fuzz_run(const omnilink_fuzz *fuzz, void *system, omnilink_fuzz_report *report, char *message,
                       size_t message_len);

/* Every action passes through here when it begins, so that a debugger can wait for one of them: `entry` is
 * its number in the table of its lane's file, `start` the clock reading that its record starts with. */
void omnilink_action_begins(uint32_t entry, uint64_t start);

#ifdef __cplusplus
}
#endif

#endif
