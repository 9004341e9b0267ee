/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Each frame: move, detect, record, and check if asked to. Times of all frames are kept for the medians, and hashes
 * for the report; of the results themselves only those of the last frame. */
#include "kernel/cli/frames.h"

#include <inttypes.h>

#include "carom/coherent.h"
#include "kernel/cli/frames_report.h"

/* Bodies in motion while they are detected. */
typedef struct run {
    const carom_detect_options *options;
    carom_subject *subject;
    carom_context *context;
    carom_coherent_f32 *f32; /* of the subject's precision, if --coherent was given; else both are NULL */
    carom_coherent_f64 *f64;
    carom_subject_found found; /* of the last frame */
    carom_frames_measured measured;
} run;

/* One frame, coherent or cold. */
static carom_status detect(run *r, const carom_detect_config *config, carom_error *error) {
    carom_status status;
    carom_detect_config boxed = *config;
    r->found = (carom_subject_found){.f32 = {.size = sizeof r->found.f32}, .f64 = {.size = sizeof r->found.f64}};
    boxed.periodic = r->subject->is_periodic ? &r->subject->periodic : NULL;
    if (!r->options->motion.coherent) {
        status = carom_subject_detect(r->subject, r->context, config, &r->found, error);
    } else if (r->subject->wide) {
        status =
            carom_coherent_detect_f64(r->f64, &r->subject->f64, &boxed, NULL, &r->found.f64, &r->measured.kept, error);
        r->found.summary = r->found.f64.summary;
    } else {
        status =
            carom_coherent_detect_f32(r->f32, &r->subject->f32, &boxed, NULL, &r->found.f32, &r->measured.kept, error);
        r->found.summary = r->found.f32.summary;
    }
    return status;
}

/* Compares a coherent frame's hash with that of another detection, cold and not timed. */
static carom_exit check_frame(run *r, uint32_t number) {
    carom_detect_config config = carom_measure_config(&r->options->call);
    carom_subject_found cold;
    carom_error error = {.status = CAROM_OK};
    config.neighbours = CAROM_NEIGHBOURS_NONE;
    /* Hashes of both are of all rows, so equal hashes mean equal results. */
    config.hash = true;
    const uint64_t hash = r->found.summary.result_hash;
    const carom_status status = carom_subject_detect(r->subject, r->context, &config, &cold, &error);
    if (status != CAROM_OK) {
        return carom_subject_explain(r->subject, status, &error);
    }
    if (cold.summary.result_hash == hash) {
        return CAROM_EXIT_OK;
    }
    carom_say("check failed: frame %" PRIu32 ": result_hash is %016" PRIx64 ", cold detection's is %016" PRIx64, number,
              hash, cold.summary.result_hash);
    return CAROM_EXIT_CHECK;
}

/* A frame that was not compared with the one before it, such as the first, says nothing of what began there. */
static void record_frame(run *r, uint32_t number) {
    carom_frames_measured *m = &r->measured;
    const carom_detect_summary *summary = &r->found.summary;
    carom_frames_record *record = &m->records[number];
    *record = (carom_frames_record){.times = carom_measure_times(summary),
                                    .hashed = r->options->motion.hash,
                                    .hash = summary->result_hash,
                                    .rebuilt = m->kept.rebuilt,
                                    .cold = m->kept.cold};
    m->begun += m->kept.compared ? m->kept.begun : 0;
    m->ended += m->kept.compared ? m->kept.ended : 0;
    m->cold += m->kept.cold;
    m->escapes += m->kept.escapes;
    m->last = *summary;
    m->neighbours = carom_measure_neighbours(r->subject, &r->found);
}

/* The frame is recorded before it is checked: the check's own detection must not change what is reported. */
static carom_exit run_frame(run *r, uint32_t number) {
    carom_detect_config config = carom_measure_config(&r->options->call);
    carom_error error = {.status = CAROM_OK};
    config.hash = r->options->motion.hash || r->options->output.expects;
    const carom_status status = detect(r, &config, &error);
    if (status != CAROM_OK) {
        return carom_subject_explain(r->subject, status, &error);
    }
    record_frame(r, number);
    return r->options->motion.hash && r->options->motion.coherent ? check_frame(r, number) : CAROM_EXIT_OK;
}

/* The bodies do not move after the last frame. */
static carom_exit run_frames(run *r) {
    carom_exit outcome =
        carom_subject_start(r->subject, r->options->source.scene.letter, r->options->motion.displacement);
    for (uint32_t number = 0; number < r->options->motion.frames && outcome == CAROM_EXIT_OK; ++number) {
        carom_say_progress("frame %" PRIu32 " of %" PRIu32 " ...", number + 1, r->options->motion.frames);
        outcome = run_frame(r, number);
        if (outcome == CAROM_EXIT_OK && number + 1 < r->options->motion.frames) {
            outcome = carom_subject_step(r->subject);
        }
    }
    carom_say_progress_end();
    return outcome;
}

/* Nothing is created for cold detection. */
static carom_exit create(run *r) {
    if (!r->options->motion.coherent) {
        return CAROM_EXIT_OK;
    }
    carom_error error = {.status = CAROM_OK};
    const carom_status status = r->subject->wide ? carom_coherent_create_f64(r->context, NULL, &r->f64, &error)
                                                 : carom_coherent_create_f32(r->context, NULL, &r->f32, &error);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(status, &error);
}

/* destroy takes NULL, so a failure to create needs no case of its own. */
static carom_exit run_and_report(run *r) {
    carom_exit outcome = create(r);
    if (outcome == CAROM_EXIT_OK) {
        outcome = run_frames(r);
    }
    if (outcome == CAROM_EXIT_OK) {
        outcome = carom_frames_report_print(r->options, r->subject, r->context, &r->measured);
    }
    carom_coherent_destroy_f32(r->f32);
    carom_coherent_destroy_f64(r->f64);
    return outcome;
}

carom_exit carom_frames_command(const carom_detect_options *options, carom_subject *subject, carom_context *context,
                                carom_detect_summary *last) {
    run r = {.options = options, .subject = subject, .context = context};
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    const uint64_t record_bytes = options->motion.frames * sizeof *r.measured.records;
    const uint64_t time_bytes = 2 * (uint64_t)options->motion.frames * sizeof *r.measured.times;
    r.measured.records = carom_memory_allocate(&memory, record_bytes);
    r.measured.times = carom_memory_allocate(&memory, time_bytes);
    carom_exit outcome = CAROM_EXIT_RESOURCES;
    if (r.measured.records == NULL || r.measured.times == NULL) {
        carom_say("no memory for the times of %" PRIu32 " frames", options->motion.frames);
    } else {
        outcome = run_and_report(&r);
        *last = r.measured.last;
    }
    carom_memory_release(&memory, r.measured.records, record_bytes);
    carom_memory_release(&memory, r.measured.times, time_bytes);
    return outcome;
}
