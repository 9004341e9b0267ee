/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/rows_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/shaped/shape_pairs_tmpl.h"
#include "kernel/store/row_table_tmpl.h"

/* A periodic call for floats runs in double: the sink is then that of the float output. */
bool carom_rows_has_sink(const carom_detect_job *job) {
    const carom_detect_output_f32 *float_output = job->periodic.float_output;
    return (job->output != NULL && job->output->sink != NULL) || (float_output != NULL && float_output->sink != NULL);
}

carom_row_shape carom_rows_float_shape(const carom_detect_job *job) {
    return (carom_row_shape){job->rows.shape.fields, sizeof(float), job->rows.shape.shifts, job->rows.shape.children};
}

/* The table may have held rows of another shape: its bytes say how many of this one it holds. If the room that the last
 * call needed cannot be had, rows overflow later and are counted. */
static void prepare_table(carom_context *context, carom_row_shape shape) {
    context->rows.capacity = context->rows.block.bytes / carom_row_table_bytes(shape, 16) * 16;
    if (context->expected_rows > context->rows.capacity) {
        (void)carom_row_table_reserve(&context->rows, &context->memory, shape, context->expected_rows);
    }
    context->expected_rows = 0;
}

void carom_rows_prepare_output(carom_detect_job *job) {
    const bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    job->rows.shape =
        (carom_row_shape){contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real),
                          job->periodic.images != NULL ? 3 : 0, contacts && job->shapes.compounds ? 2 : 0};
    job->rows.destination = carom_rows_has_sink(job)  ? CAROM_ROWS_TO_SINK
                            : job->config->count_only ? CAROM_ROWS_COUNTED
                                                      : CAROM_ROWS_STORED;
    job->rows.answered = contacts && job->shapes.source != NULL && !job->config->all_pairs &&
                         job->rows.destination != CAROM_ROWS_COUNTED;
}

uint64_t carom_rows_answer_bytes(const carom_detect_job *job, uint64_t pairs) {
    return job->rows.answered ? carom_size_multiply(pairs, sizeof(carom_shape_answer)) : 0;
}

void carom_rows_prepare(carom_detect_job *job) {
    carom_rows_prepare_output(job);
    if (job->rows.destination == CAROM_ROWS_STORED) {
        carom_chunk_pool_restart(&job->context->chunks);
        prepare_table(job->context, job->rows.shape);
    }
}

/* Who is in each row. */
static void write_pairs(const carom_record *records, const carom_hits *hits, const carom_contacts *rows) {
    for (uint32_t n = 0; n < hits->count; n++) {
        uint32_t a = (uint32_t)records[hits->slot_i[n]].body;
        uint32_t b = (uint32_t)records[hits->slot_k[n]].body;
        rows->i[n] = a < b ? a : b;
        rows->k[n] = a < b ? b : a;
    }
}

uint32_t *carom_rows_child(const carom_detect_job *job, void *block, uint64_t capacity, uint32_t side, uint64_t at) {
    return carom_row_table_field(job->rows.shape, block, capacity, CAROM_CHILD_FIELD + side, at);
}

void carom_rows_write(const carom_detect_job *job, uint32_t worker, void *block, uint64_t capacity, uint64_t at,
                      const carom_hits *hits) {
    const carom_record *records = job->search.records;
    CAROM_ASSERT(records != NULL && block != NULL);
    CAROM_ASSERT(at <= capacity && hits->count <= capacity - at);
    carom_contacts rows = carom_row_table_view(job->rows.shape, block, capacity, at);
    const bool contacts = job->rows.shape.fields == CAROM_ROW_FIELDS;
    if (contacts && job->shapes.source != NULL) {
        const carom_shape_rows shaped = {rows, carom_rows_child(job, block, capacity, 0, at),
                                         carom_rows_child(job, block, capacity, 1, at)};
        write_pairs(records, hits, &rows);
        carom_shape_pairs_write(job, worker, hits, &shaped);
    } else if (contacts) {
        const carom_contact_in pairs = {records,      0, hits->count, hits->slot_i, hits->slot_k,
                                        !job->config->all_pairs};
        carom_kernels_of(job->context->simd)->contact(&pairs, &rows);
    } else {
        write_pairs(records, hits, &rows);
    }
}

double carom_rows_bytes(const carom_detect_job *job) {
    const double row = (double)carom_row_table_bytes(job->rows.shape, 16) / 16;
    const bool chunks = job->context->team.workers > 1; /* each pair goes to a chunk and comes back from it */
    const double pair = 4.0 * sizeof(uint32_t) + 2.0 * (double)carom_rows_answer_bytes(job, 1);
    return chunks ? row + pair : row;
}
