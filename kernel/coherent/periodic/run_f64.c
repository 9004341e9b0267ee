/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/periodic/run_f64.h"

#include "kernel/check/assert.h"
#include "kernel/coherent/compare_tmpl.h"
#include "kernel/coherent/periodic/apart_f64.h"
#include "kernel/coherent/periodic/moved_f64.h"
#include "kernel/coherent/periodic/periodic.h"
#include "kernel/coherent/periodic/place_f64.h"
#include "kernel/coherent/periodic/step_f64.h"
#include "kernel/periodic/load.h"
#include "kernel/sys/clock.h"

/* Results that no caller has asked for in float are there already. */
static carom_status deliver(carom_coherent_step *step) {
    const carom_periodic_call *call = carom_periodic_of(step)->call;
    if (call->floats == NULL) {
        return CAROM_OK;
    }
    call->floats->rows = &step->state->context->float_rows;
    call->floats->sink_hash = step->job->sink.hash;
    call->floats->compounds = step->job->shapes.compounds;
    return call->deliver(call->data);
}

static const carom_coherent_hooks hooks = {.place = carom_periodic_place,
                                           .move = carom_periodic_move,
                                           .bound = carom_periodic_bound,
                                           .make_images = carom_periodic_make_images,
                                           .settle = carom_periodic_settle,
                                           .grow = carom_periodic_grow,
                                           .set_apart = carom_periodic_set_apart,
                                           .deliver = deliver,
                                           .show = carom_periodic_show};

static carom_status run(carom_coherent *state, const carom_periodic_call *call, const carom_lattice *lattice,
                        carom_detection_f64 *detection, carom_coherent_report *report, carom_error *error) {
    carom_images images = {.lattice = *lattice, .owned = call->source->count};
    carom_images cold_images = images;
    carom_periodic_step own = {.call = call};
    carom_pair_log log = {.pool = &state->cold.logged, .memory = &state->context->memory};
    carom_detect_job job = {.context = state->context,
                            .bodies = &images.bodies,
                            .config = call->config,
                            .output = call->output,
                            .detection = detection,
                            .error = error,
                            .owned = images.owned,
                            .headroom = CAROM_HEADROOM_GROW,
                            .clock = carom_clock_seconds(),
                            .periodic = {.images = &images,
                                         .source = call->source,
                                         .float_results = call->floats != NULL,
                                         .float_output = call->floats != NULL ? call->floats->output : NULL}};
    job.shapes.source = call->shaped;
    carom_coherent_step step = {.job = &job,
                                .state = state,
                                .report = report,
                                .hooks = &hooks,
                                .images = &images,
                                .cold_images = &cold_images,
                                .periodic = &own};
    if (carom_compare_wanted(&step)) {
        job.log = &log;
        carom_pair_log_restart(&log);
    }
    return carom_coherent_step_run(&step);
}

carom_status carom_periodic_run(carom_coherent *state, const carom_periodic_call *call, carom_detection_f64 *detection,
                                carom_coherent_report *report, carom_error *error) {
    const double begin = carom_clock_seconds();
    carom_lattice lattice;
    CAROM_ASSERT(call->config->until >= CAROM_UNTIL_PAIRS && call->config->periodic != NULL);
    CAROM_ASSERT(call->source->count <= CAROM_BODIES_MAX);
    carom_status status = carom_lattice_make(call->config->periodic, &lattice, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_coherent_space_enter(state, call->config->periodic, &lattice);
    status = run(state, call, &lattice, detection, report, error);
    detection->summary.seconds = status == CAROM_OK ? carom_clock_seconds() - begin : 0.0;
    return status;
}

carom_status carom_coherent_run_periodic_f64(carom_coherent *state, const carom_bodies_f64 *bodies,
                                             const carom_detect_config *config, const carom_detect_output_f64 *output,
                                             carom_detection_f64 *detection, carom_coherent_report *report,
                                             carom_error *error) {
    const carom_image_source source = {.bodies = bodies,
                                       .count = bodies->count,
                                       .load = carom_load_bodies_f64,
                                       .load_one = carom_load_body_f64,
                                       .home = carom_load_home_f64};
    carom_shape_source shaped;
    const carom_periodic_call call = {
        .source = &source, .shaped = carom_shape_source_of_f64(bodies, &shaped), .config = config, .output = output};
    return carom_periodic_run(state, &call, detection, report, error);
}
