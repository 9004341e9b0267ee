/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Callers with floats: the step runs in double, and its rows are rounded once. */
#include "kernel/coherent/periodic/periodic.h"
#include "kernel/coherent/periodic/run_f64.h"
#include "kernel/periodic/load.h"

/* What rounding to float needs when the step in double is done. */
typedef struct rounding {
    carom_context *context;
    const carom_bodies_f32 *bodies;
    const carom_detect_config *config;
    carom_periodic_floats floats;
    const carom_detection_f64 *from;
    carom_detection_f32 *detection;
    carom_error *error;
} rounding;

static carom_status deliver(void *data) {
    rounding *r = data;
    return carom_periodic_round(r->context, r->bodies, r->config, &r->floats, r->from, r->detection, r->error);
}

carom_status carom_coherent_run_periodic_f32(carom_coherent *state, const carom_bodies_f32 *bodies,
                                             const carom_detect_config *config, const carom_detect_output_f32 *output,
                                             carom_detection_f32 *detection, carom_coherent_report *report,
                                             carom_error *error) {
    carom_detection_f64 in_double = {0};
    const carom_image_source source = {.bodies = bodies,
                                       .count = bodies->count,
                                       .load = carom_load_bodies_f32,
                                       .load_one = carom_load_body_f32,
                                       .home = carom_load_home_f32};
    rounding r = {state->context, bodies, config, {.output = output}, &in_double, detection, error};
    carom_shape_source shaped;
    const carom_periodic_call call = {.source = &source,
                                      .shaped = carom_shape_source_of_f32(bodies, &shaped),
                                      .config = config,
                                      .floats = &r.floats,
                                      .deliver = deliver,
                                      .data = &r};
    carom_status status = carom_periodic_run(state, &call, &in_double, report, error);
    if (status != CAROM_OK || bodies->count == 0) {
        carom_periodic_summarise(&in_double, status, detection);
    }
    detection->summary.seconds = in_double.summary.seconds;
    return status;
}
