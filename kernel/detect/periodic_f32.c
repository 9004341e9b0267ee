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
    job->shapes.compounds = floats->compounds;
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

void carom_periodic_summarise(const carom_detection_f64 *from, carom_status status, carom_detection_f32 *detection) {
    if (status == CAROM_OK) {
        *detection = (carom_detection_f32){.summary = from->summary,
                                           .pair_count = from->pair_count,
                                           .groups = from->groups,
                                           .neighbours = from->neighbours,
                                           .order = from->order};
        return;
    }
    *detection = (carom_detection_f32){.pair_count = 0};
    if (status != CAROM_ERROR_CANCELLED) {
        detection->summary.required_pairs = from->summary.required_pairs;
        detection->summary.required_bytes = from->summary.required_bytes;
    }
}

carom_status carom_periodic_round(carom_context *context, const carom_bodies_f32 *bodies,
                                  const carom_detect_config *config, const carom_periodic_floats *floats,
                                  const carom_detection_f64 *from, carom_detection_f32 *detection, carom_error *error) {
    carom_periodic_summarise(from, CAROM_OK, detection);
    carom_detect_job job = {.context = context,
                            .bodies = bodies,
                            .owned = bodies->count,
                            .config = config,
                            .output = floats->output,
                            .detection = detection,
                            .error = error,
                            .clock = carom_clock_seconds()};
    return carom_job_cancelled(&job, return_rows(&job, floats));
}

carom_status carom_detect_periodic_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                       const carom_detect_config *config, const carom_detect_output_f32 *output,
                                       carom_detection_f32 *detection, carom_error *error) {
    double begin = carom_clock_seconds();
    carom_detection_f64 in_double = {0};
    const carom_image_source source = {
        .bodies = bodies, .count = bodies->count, .load = carom_load_bodies_f32, .load_one = carom_load_body_f32};
    carom_periodic_floats floats = {.output = output};
    carom_shape_source own;
    const carom_shape_source *shaped = carom_shape_source_of_f32(bodies, &own);
    carom_status status = carom_detect_periodic_run(context, &source, shaped, config, NULL, &floats, &in_double, error);
    if (status == CAROM_OK && bodies->count > 0) {
        status = carom_periodic_round(context, bodies, config, &floats, &in_double, detection, error);
    }
    if (status != CAROM_OK || bodies->count == 0) {
        carom_periodic_summarise(&in_double, status, detection);
    }
    if (status != CAROM_OK) {
        return status;
    }
    detection->summary.seconds = carom_clock_seconds() - begin;
    return CAROM_OK;
}
