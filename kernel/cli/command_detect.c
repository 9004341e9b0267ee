/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_detect.h"

#include <inttypes.h>

#include "kernel/cli/detect_options.h"
#include "kernel/cli/detect_report.h"
#include "kernel/cli/frames.h"
#include "kernel/cli/lists.h"
#include "kernel/cli/measure.h"
#include "kernel/cli/subject.h"

/* Before the bodies are made: an instruction set that this machine lacks should not cost the time for a scene. */
static carom_exit create_context(const carom_detect_options *options, carom_context **context) {
    carom_context_config config = carom_context_config_default();
    carom_error error = {.status = CAROM_OK};
    config.threads = options->call.threads;
    config.isa = options->call.isa;
    const carom_status status = carom_context_create(&config, context, &error);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(status, &error);
}

/* For scripts: the whole result in one number, see --expect. Of bodies in motion it is that of the last frame. */
static carom_exit check_expected(const carom_detect_options *options, const carom_detect_summary *summary) {
    if (!options->output.expects || summary->touching_hash == options->output.expected) {
        return CAROM_EXIT_OK;
    }
    carom_say("check failed: touching_hash is %016" PRIx64 ", expected %016" PRIx64, summary->touching_hash,
              options->output.expected);
    return CAROM_EXIT_CHECK;
}

static carom_exit detect_once(const carom_detect_options *options, const carom_subject *subject, carom_context *context,
                              carom_detect_summary *summary) {
    carom_measured measured;
    const carom_exit outcome = carom_measure(subject, context, options, &measured);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    *summary = measured.summary;
    return carom_detect_report_print(options, subject, context, &measured);
}

/* The lists come last: what was measured is reported even when the disk is full. Bodies in motion are then where the
 * last frame has them. */
static carom_exit detect(const carom_detect_options *options, carom_subject *subject, carom_context *context) {
    carom_detect_summary summary = {.touching_hash = 0};
    carom_exit outcome = options->motion.frames > 0 ? carom_frames_command(options, subject, context, &summary)
                                                    : detect_once(options, subject, context, &summary);
    if (outcome == CAROM_EXIT_OK) {
        outcome = carom_lists_write(options, subject, context, &summary);
    }
    return outcome == CAROM_EXIT_OK ? check_expected(options, &summary) : outcome;
}

carom_exit carom_command_detect(const carom_invocation *invocation, int argc, char **argv) {
    carom_detect_options options;
    bool help;
    /* --help has been printed by then, and is a success. */
    carom_exit outcome = carom_detect_options_parse(invocation, argc, argv, &options, &help);
    if (outcome != CAROM_EXIT_OK || help) {
        return outcome;
    }
    carom_context *context = NULL;
    outcome = create_context(&options, &context);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    /* The subject is released even if opening it failed half-way. */
    carom_subject subject;
    outcome = carom_subject_open(&options.source, &subject);
    if (outcome == CAROM_EXIT_OK) {
        outcome = detect(&options, &subject, context);
    }
    carom_subject_release(&subject);
    carom_context_destroy(context);
    return outcome;
}
