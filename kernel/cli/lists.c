/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sorted pairs and members cost time and memory that the timed calls must not pay. So there is one more call, whose
 * counts are held against theirs. */
#include "kernel/cli/lists.h"

#include <inttypes.h>

#include "kernel/io/write.h"

/* A file that cannot be written is the disk's fault, not the input's. */
static carom_exit written(carom_status status, const carom_error *error) {
    if (status == CAROM_OK) {
        return CAROM_EXIT_OK;
    }
    const carom_exit outcome = carom_say_error(status, error);
    return status == CAROM_ERROR_FILE ? CAROM_EXIT_RESOURCES : outcome;
}

static uint64_t pair_count(const carom_subject *subject, const carom_subject_found *found) {
    return subject->wide ? found->f64.pair_count : found->f32.pair_count;
}

/* Says how many there are, so that a log shows it. */
static carom_exit write_pairs(const char *path, const carom_subject *subject, const carom_subject_found *found) {
    carom_error error = {.status = CAROM_OK};
    carom_say_progress("writing %s ...", path);
    const carom_exit outcome = written(subject->wide ? carom_write_pairs_f64(path, &found->f64, &error)
                                                     : carom_write_pairs_f32(path, &found->f32, &error),
                                       &error);
    carom_say_progress_end();
    if (outcome == CAROM_EXIT_OK) {
        carom_say("wrote %" PRIu64 " pairs to %s", pair_count(subject, found), path);
    }
    return outcome;
}

static carom_exit write_groups(const char *path, const carom_subject *subject, const carom_subject_found *found) {
    carom_error error = {.status = CAROM_OK};
    const carom_groups *groups = subject->wide ? &found->f64.groups : &found->f32.groups;
    carom_say_progress("writing %s ...", path);
    const carom_exit outcome = written(carom_write_groups(path, groups, &error), &error);
    carom_say_progress_end();
    if (outcome == CAROM_EXIT_OK) {
        carom_say("wrote %" PRIu64 " groups to %s", groups->count, path);
    }
    return outcome;
}

/* Pairs only up to where they are needed; without --pairs none are stored. */
static carom_exit find(const carom_detect_options *options, const carom_subject *subject, carom_context *context,
                       carom_subject_found *found) {
    carom_detect_config config = carom_detect_config_default();
    carom_error error = {.status = CAROM_OK};
    config.until = options->output.groups != NULL ? CAROM_UNTIL_GROUPS : CAROM_UNTIL_APPROACH;
    config.method = options->call.method;
    config.count_only = options->output.pairs == NULL;
    config.all_pairs = options->output.pairs != NULL;
    config.sort_pairs = options->output.pairs != NULL;
    config.group_members = options->output.groups != NULL;
    carom_say_progress("detecting, untimed call for the lists ...");
    const carom_status status = carom_subject_detect(subject, context, &config, found, &error);
    carom_say_progress_end();
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_subject_explain(subject, status, &error);
}

carom_exit carom_lists_write(const carom_detect_options *options, const carom_subject *subject, carom_context *context,
                             const carom_detect_summary *summary) {
    if (options->output.pairs == NULL && options->output.groups == NULL) {
        return CAROM_EXIT_OK;
    }
    carom_subject_found found;
    carom_exit outcome = find(options, subject, context, &found);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    /* All calls see the same bodies, so a difference is a fault of the library. */
    if (found.summary.touching_pairs != summary->touching_pairs ||
        (options->output.pairs != NULL && pair_count(subject, &found) != summary->box_pairs)) {
        carom_say("check failed: the call for the lists found %" PRIu64 " touching pairs, the timed ones %" PRIu64,
                  found.summary.touching_pairs, summary->touching_pairs);
        return CAROM_EXIT_CHECK;
    }
    if (options->output.pairs != NULL) {
        outcome = write_pairs(options->output.pairs, subject, &found);
    }
    if (outcome == CAROM_EXIT_OK && options->output.groups != NULL) {
        outcome = write_groups(options->output.groups, subject, &found);
    }
    return outcome;
}
