/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Float bodies in a periodic box: detected in double, results rounded once and handed out as those of any f32 call. */
#define CAROM_REAL_BITS 32
#include "kernel/step/job_tmpl.h"
#include "kernel/step/periodic.h"
#include "kernel/sys/clock.h"

static carom_status hand_out(carom_context *context, const carom_bodies_f32 *bodies, const carom_detect_config *config,
                             const carom_detect_output_f32 *output, carom_detection_f32 *detection,
                             carom_error *error) {
    bool contacts = config->until >= CAROM_UNTIL_APPROACH;
    carom_detect_job job = {
        .context = context,
        .bodies = bodies,
        .config = config,
        .output = output,
        .detection = detection,
        .error = error,
        .owned = bodies->count,
        .workers = carom_context_work(context, CAROM_WORK_WORKERS),
        .shape = {contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(float), 3},
        .clock = carom_clock_seconds(),
    };
    job.store_rows = !config->count_only && !carom_detect_has_sink_f32(&job);
    carom_status status = carom_detect_hand_out_f32(&job, &context->narrow_rows, detection->pair_count);
    if (status == CAROM_OK && config->hash) {
        carom_detect_hash_f32(&job);
    }
    carom_detect_lap_f32(&job, CAROM_PHASE_COLLECT);
    return status;
}

carom_status carom_detect_run_periodic_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                           const carom_detect_config *config, const carom_detect_output_f32 *output,
                                           carom_detection_f32 *detection, carom_error *error) {
    double begin = carom_clock_seconds();
    carom_detection_f64 wide;
    carom_image_source source = {bodies, bodies->count, carom_periodic_load_f32};
    const carom_periodic_output to = {.narrow_output = output, .narrow = true};
    carom_status status = carom_periodic_run(context, &source, config, &to, &wide, error);
    *detection = (carom_detection_f32){
        .summary = wide.summary, .pair_count = wide.pair_count, .groups = wide.groups, .neighbours = wide.neighbours};
    if (status == CAROM_OK && bodies->count > 0) {
        status = hand_out(context, bodies, config, output, detection, error);
    }
    if (status != CAROM_OK) {
        *detection = (carom_detection_f32){
            .summary = {.required_pairs = wide.summary.required_pairs, .required_bytes = wide.summary.required_bytes}};
        return status;
    }
    detection->summary.seconds = carom_clock_seconds() - begin;
    return CAROM_OK;
}
