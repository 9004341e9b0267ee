/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sorted pairs and members cost time and memory that the timed calls must not pay. So there is one more call, whose
 * counts are held against theirs. */
#include "kernel/cli/lists.h"

#include <inttypes.h>

#include "kernel/io/write.h"

/* The call for the lists, and what is written of it. */
typedef struct lists {
    const carom_output_options *output;
    const carom_subject *subject;
    carom_subject_found found;
} lists;

static uint64_t pair_count(const lists *made) {
    return made->subject->wide ? made->found.f64.pair_count : made->found.f32.pair_count;
}

/* Says how many there are, so that a log shows it. A file that cannot be written is the disk's fault, not the input's.
 */
static carom_exit finish(carom_status status, const char *what, const carom_written *written,
                         const carom_error *error) {
    carom_say_progress_end();
    if (status == CAROM_OK) {
        carom_say("wrote %" PRIu64 " %s to %s%s", written->rows, what, written->to,
                  written->replaced ? ", replacing what was there" : "");
        return CAROM_EXIT_OK;
    }
    const carom_exit outcome = carom_say_error(status, error);
    return status == CAROM_ERROR_FILE ? CAROM_EXIT_RESOURCES : outcome;
}

static carom_exit write_pairs(const lists *made, const char *path, bool all_pairs) {
    if (path == NULL) {
        return CAROM_EXIT_OK;
    }
    const carom_write_options options = {.format = made->output->lists,
                                         .shifts = made->subject->is_periodic,
                                         .children = made->subject->is_shaped && made->subject->shaped.compounds,
                                         .all_pairs = all_pairs};
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    carom_say_progress("writing %s ...", path);
    const carom_status status = made->subject->wide
                                    ? carom_write_pairs_f64(path, &made->found.f64, &options, &written, &error)
                                    : carom_write_pairs_f32(path, &made->found.f32, &options, &written, &error);
    return finish(status, all_pairs ? "box pairs" : "touching pairs", &written, &error);
}

static carom_exit write_groups(const lists *made, const char *path) {
    if (path == NULL) {
        return CAROM_EXIT_OK;
    }
    const carom_write_options options = {.format = made->output->lists};
    const carom_groups *groups = made->subject->wide ? &made->found.f64.groups : &made->found.f32.groups;
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    carom_say_progress("writing %s ...", path);
    const carom_status status = carom_write_groups(path, groups, &options, &written, &error);
    return finish(status, "members of groups", &written, &error);
}

/* Pairs only up to where they are needed; without a list of pairs none are stored. */
static carom_exit find(const carom_detect_options *options, carom_context *context, lists *made) {
    const bool pairs = options->output.pairs != NULL || options->output.all_pairs != NULL;
    carom_detect_config config = carom_detect_config_default();
    carom_error error = {.status = CAROM_OK};
    config.until = options->output.groups != NULL ? CAROM_UNTIL_GROUPS : CAROM_UNTIL_APPROACH;
    config.method = options->call.method;
    config.count_only = !pairs;
    config.approaching = options->call.approaching;
    config.margin = options->call.margin;
    config.all_pairs = options->output.all_pairs != NULL;
    config.sort_pairs = pairs;
    config.group_members = options->output.groups != NULL;
    carom_say_progress("detecting, untimed call for the lists ...");
    const carom_status status = carom_subject_detect(made->subject, context, &config, &made->found, &error);
    carom_say_progress_end();
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_subject_explain(made->subject, status, &error);
}

/* All calls see the same bodies, so a difference is a fault of the library. */
static bool agrees(const lists *made, const carom_detect_summary *summary) {
    const uint64_t expected = made->output->all_pairs != NULL ? summary->box_pairs : summary->touching_pairs;
    const bool pairs = made->output->pairs != NULL || made->output->all_pairs != NULL;
    return made->found.summary.touching_pairs == summary->touching_pairs && (!pairs || pair_count(made) == expected);
}

carom_exit carom_lists_write(const carom_detect_options *options, const carom_subject *subject, carom_context *context,
                             const carom_detect_summary *summary) {
    const carom_output_options *output = &options->output;
    lists made = {.output = output, .subject = subject};
    if (output->pairs == NULL && output->all_pairs == NULL && output->groups == NULL) {
        return CAROM_EXIT_OK;
    }
    carom_exit outcome = find(options, context, &made);
    if (outcome == CAROM_EXIT_OK && !agrees(&made, summary)) {
        carom_say("check failed: the call for the lists found %" PRIu64 " touching pairs, the timed ones %" PRIu64,
                  made.found.summary.touching_pairs, summary->touching_pairs);
        return CAROM_EXIT_CHECK;
    }
    outcome = outcome == CAROM_EXIT_OK ? write_pairs(&made, output->pairs, false) : outcome;
    outcome = outcome == CAROM_EXIT_OK ? write_pairs(&made, output->all_pairs, true) : outcome;
    return outcome == CAROM_EXIT_OK ? write_groups(&made, output->groups) : outcome;
}
