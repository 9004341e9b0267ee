/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Callers with floats: the query runs in double, and its rows are rounded once. */
#include "kernel/periodic/load.h"
#include "kernel/query/periodic.h"
#include "kernel/store/row_table_tmpl.h"

carom_status carom_query_run_periodic_f32(carom_context *context, const carom_bodies_f32 *probes,
                                          const carom_query_config *config, carom_query_answer_f32 *answer,
                                          carom_error *error) {
    const carom_image_source source = {
        .bodies = probes, .count = probes->count, .load = carom_load_bodies_f32, .load_one = carom_load_body_f32};
    carom_row_table *rows = &context->query_float_rows;
    carom_query_answer_f64 found = {0};
    const carom_status status = carom_query_run_box(context, &source, rows, config, &found, error);
    *answer = (carom_query_answer_f32){.box_pairs = found.box_pairs,
                                       .pair_count = found.pair_count,
                                       .offset = found.offset,
                                       .required_bytes = found.required_bytes,
                                       .seconds = found.seconds};
    if (status == CAROM_OK && found.pair_count > 0) {
        const uint32_t fields = config->until >= CAROM_UNTIL_APPROACH ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS;
        const carom_row_shape shape = {fields, sizeof(float), 3, 0};
        answer->contacts = carom_row_table_view(shape, rows->block.data, rows->capacity, 0);
    }
    return status;
}
