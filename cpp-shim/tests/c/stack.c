/* A program in C that records through the whole of omnilink.h. Takes the trace directory as argument. */
#include <omnilink.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *const push_params[] = {"elem", "tags"};
static const char *const pop_params[] = {"elem"};
static const omnilink_action push_action = {"Push", push_params, 2};
static const omnilink_action pop_actions[] = {{"Pop", pop_params, 1}, {"PopEmpty", NULL, 0}};

static const omnilink_site *push_site, *pop_site;

static void put_tag(omnilink_encoder *encoder, const void *value) {
    omnilink_put_str(encoder, value, strlen(value));
}

static void put_tags(omnilink_encoder *encoder, const void *value) {
    omnilink_put_bool(encoder, true);
    omnilink_put_uint(encoder, UINT64_MAX);
    omnilink_put_set(encoder, put_tag, value);
}

static void put_tagged(omnilink_encoder *encoder, const void *value) {
    omnilink_put_tuple(encoder, 3, put_tags, value);
}

static void put_depth(omnilink_encoder *encoder, const void *value) {
    omnilink_put_str(encoder, "depth", 5);
    omnilink_put_int(encoder, *(const int *)value);
}

static void put_state(omnilink_encoder *encoder, const void *value) {
    omnilink_put_function(encoder, 1, put_depth, value);
}

static void note_end(omnilink_notes *notes, const void *value) {
    omnilink_note(notes, "state", put_state, value);
}

static void *other_thread(void *unused) {
    (void)unused;
    omnilink_open_lane("popper");
    omnilink_op op = omnilink_enter(pop_site);
    omnilink_start(&op);
    omnilink_refine_start(&op);
    omnilink_current_refine_start();
    omnilink_returned(&op);
    omnilink_choose(&op, 0);
    omnilink_arg_int(&op, 0, -7);
    omnilink_end(&op);

    op = omnilink_begin(pop_site);
    omnilink_choose(&op, 1);
    omnilink_abort(&op, "contended", 9);
    omnilink_refine_end(&op);
    omnilink_end(&op);

    op = omnilink_begin(pop_site);
    omnilink_discard(&op);

    op = omnilink_begin(pop_site);
    omnilink_indeterminate(&op, "lost", 4);

    int depth = 2;
    omnilink_terminate(note_end, &depth);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    push_site = omnilink_site_new(&push_action, 1);
    static const char *const results[] = {"elem"};
    static const char *const wrong_results[] = {"elem", "none"};
    pop_site = omnilink_site_with_results(pop_actions, 2, results, 1);
    if (omnilink_site_with_results(pop_actions, 2, wrong_results, 2) != NULL) return 3;
    if (omnilink_site_new(NULL, 0) != NULL) return 3;
    if (omnilink_site_param(push_site, "tags") != 1 || omnilink_site_param(push_site, "none") != -1) return 4;

    omnilink_session_options options = {.directory = argv[1], .spec = "Stack", .next = "Next",
                                        .actions = &push_action, .actions_len = 1, .has_seed = true, .seed = 7};
    char message[200];
    if (!omnilink_session_start(&options, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return 5;
    }
    if (omnilink_session_start(&options, message, sizeof message)) return 6;

    omnilink_op op = omnilink_begin(push_site);
    if (!omnilink_is_recording(&op)) return 7;
    omnilink_arg_int(&op, 0, 3);
    omnilink_arg(&op, 1, put_tagged, "new");
    int depth = 1;
    omnilink_meta(&op, "state", put_state, &depth);
    omnilink_current_meta("again", put_state, &depth);
    omnilink_end(&op);
    omnilink_end(&op);

    omnilink_op waiting = omnilink_enter_async(push_site);
    omnilink_start(&waiting);
    op = omnilink_begin(push_site);
    omnilink_arg_str(&op, 0, "text", 4);
    omnilink_arg_bool(&op, 1, false);
    omnilink_current_abort("full", 4);
    omnilink_end(&op);
    omnilink_arg_uint(&waiting, 0, 9);
    omnilink_end(&waiting);

    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);

    omnilink_summary summary;
    if (!omnilink_session_finish(0, &summary)) return 8;
    if (omnilink_session_finish(0, NULL)) return 9;
    printf("%llu events, %u lanes, stopped: %d\n", (unsigned long long)summary.events, summary.lanes, summary.stopped);
    return 0;
}
