/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Makes the job of a query in a periodic box, for probes of either precision. */
#include "kernel/check/assert.h"
#include "kernel/periodic/load.h"
#include "kernel/query/hooks_f64.h"
#include "kernel/query/periodic.h"

static const carom_query_hooks hooks = {.take = carom_views_take,
                                        .box = carom_views_box,
                                        .meets = carom_query_rows_meet,
                                        .pair = carom_query_rows_pair,
                                        .shift = carom_query_rows_shift,
                                        .name = carom_query_rows_name,
                                        .finish = carom_query_rows_finish};

carom_status carom_query_run_box(carom_context *context, const carom_image_source *probes, carom_row_table *floats,
                                 const carom_query_config *config, carom_query_answer_f64 *answer, carom_error *error) {
    const carom_context_box *box = &context->partition.box;
    CAROM_ASSERT(box->periodic);
    carom_query_space space = {.self_images = box->given.self_images, .probes = probes, .floats = floats};
    carom_query_job job = {
        .context = context, .probes = probes->count, .config = config, .hooks = &hooks, .space = &space};
    const carom_status status = carom_lattice_make(&box->given, &space.lattice, error);
    return status == CAROM_OK ? carom_query_stages(&job, answer, error) : status;
}

carom_status carom_query_run_periodic_f64(carom_context *context, const carom_bodies_f64 *probes,
                                          const carom_query_config *config, carom_query_answer_f64 *answer,
                                          carom_error *error) {
    const carom_image_source source = {
        .bodies = probes, .count = probes->count, .load = carom_load_bodies_f64, .load_one = carom_load_body_f64};
    return carom_query_run_box(context, &source, NULL, config, answer, error);
}
