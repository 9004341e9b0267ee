/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/periodic.h"

#include "kernel/check/assert.h"
#include "kernel/detect/job/job_tmpl.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/output_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/periodic/load.h"
#include "kernel/sys/clock.h"

/* Returns the rounded rows like those of any call for floats. This job has no bodies to search, only rows to return. */
static carom_status return_rows(carom_detect_job *job, const carom_periodic_floats *floats) {
    CAROM_ASSERT(floats->rows != NULL && job->detection->pair_count <= floats->rows->capacity);
    carom_rows_prepare_output(job);
    job->rows.shape.shifts = 3;
    job->sink.hash = floats->sink_hash;
    carom_status status = carom_output_rows(job, floats->rows, job->detection->pair_count);
    if (status == CAROM_OK && job->config->hash) {
        carom_hash_results(job);
    }
    carom_job_lap(job, CAROM_PHASE_COLLECT);
    return status;
}

carom_status carom_detect_periodic_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                       const carom_detect_config *config, const carom_detect_output_f32 *output,
                                       carom_detection_f32 *detection, carom_error *error) {
    double begin = carom_clock_seconds();
    carom_detection_f64 in_double = {0};
    const carom_image_source source = {.bodies = bodies,
 .count = bodies->count,
 .load = carom_load_bodies_f32,
 .load_one = carom_load_body_f32};
    carom_periodic_floats floats = {.output = output};
    carom_status status = carom_detect_periodic_run(context, &source, config, NULL, &floats, &in_double, error);
    *detection = (carom_detection_f32){.summary = in_double.summary,
                                       .pair_count = in_double.pair_count,
                                       .groups = in_double.groups,
                                       .neighbours = in_double.neighbours};
    if (status == CAROM_OK && bodies->count > 0) {
        carom_detect_job job = {.context = context,
                                .bodies = bodies,
                                .owned = bodies->count,
                                .config = config,
                                .output = output,
                                .detection = detection,
                                .error = error,
                                .clock = carom_clock_seconds()};
        status = carom_job_cancelled(&job, return_rows(&job, &floats));
    }
    if (status != CAROM_OK) {
        const bool counted = status != CAROM_ERROR_CANCELLED;
        const carom_detect_summary *summary = &in_double.summary;
        *detection = (carom_detection_f32){.summary = {.required_pairs = counted ? summary->required_pairs : 0,
                                                       .required_bytes = counted ? summary->required_bytes : 0}};
        return status;
    }
    detection->summary.seconds = carom_clock_seconds() - begin;
    return CAROM_OK;
}
