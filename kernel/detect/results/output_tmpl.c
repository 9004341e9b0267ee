/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/output_tmpl.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/periodic/image_rows.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/sys/error.h"

/* Rows are shared out among the workers by this many. */
enum { GRAIN = 1024 };

typedef struct copy_job {
    const carom_detect_job *job;
    const carom_row_table *from;   /* the table that is copied */
    uint64_t rows;                 /* how many of its rows */
    void *field[CAROM_FIELDS_ALL]; /* the caller's arrays; NULL: not wanted */
} copy_job;

static void copy_field(const copy_job *copy, uint32_t f, uint64_t begin, uint64_t end) {
    const carom_row_shape shape = copy->job->rows.shape;
    const uint64_t size = carom_row_table_field_size(shape, f);
    const void *from = carom_row_table_field(shape, copy->from->block.data, copy->from->capacity, f, begin);
    if (copy->field[f] != NULL && from != NULL) {
        memcpy((char *)copy->field[f] + begin * size, from, (end - begin) * size);
    }
}

/* Each worker copies its rows, field by field: fields lie apart in both. */
static void copy_fields(void *data, uint32_t worker) {
    const copy_job *copy = data;
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL; f++) {
        carom_walk walk = carom_team_walk(&copy->job->context->team, worker, copy->rows, GRAIN);
        while (carom_walk_next(&walk)) {
            copy_field(copy, f, walk.begin, walk.end);
        }
    }
}

static void copy_labels(const carom_detect_job *job) {
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->owned);
    while (carom_walk_next(&walk)) {
        memcpy(job->output->label + walk.begin, job->detection->groups.label + walk.begin,
               (walk.end - walk.begin) * sizeof(uint32_t));
    }
}

/* Rows that do not fit are an error before anything is written: no result is cut off. */
static carom_status copy_to_caller(carom_detect_job *job, const carom_row_table *from, uint64_t rows) {
    if (job->output == NULL) {
        return CAROM_OK;
    }
    copy_job copy = {.job = job, .from = from, .rows = rows};
    copy.field[CAROM_CHILD_FIELD] = job->output->child_i;
    copy.field[CAROM_CHILD_FIELD + 1] = job->output->child_k;
    const bool children = job->output->child_i != NULL || job->output->child_k != NULL;
    if ((carom_row_table_columns(&job->output->contacts, copy.field) || children) &&
        rows > job->output->pair_capacity) {
        return carom_error_set(job->error, CAROM_ERROR_CAPACITY,
                               "%" PRIu64 " pairs do not fit the caller's arrays of %" PRIu64, rows,
                               job->output->pair_capacity);
    }
    carom_team_run(&job->context->team, copy_fields, &copy);
    if (job->output->label != NULL && job->detection->groups.label != NULL) {
        copy_labels(job);
    }
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

carom_status carom_output_rows(carom_detect_job *job, const carom_row_table *from, uint64_t count) {
    CAROM_ASSERT(count <= from->capacity);
    carom_status status = copy_to_caller(job, from, count);
    if (status == CAROM_OK && job->rows.destination == CAROM_ROWS_STORED) {
        /* The context's table stays as it is until the next call. */
        job->detection->pair_count = count;
        job->detection->contacts = carom_row_table_view(job->rows.shape, from->block.data, from->capacity, 0);
        job->detection->child_i = carom_rows_child(job, from->block.data, from->capacity, 0, 0);
        job->detection->child_k = carom_rows_child(job, from->block.data, from->capacity, 1, 0);
    }
    return status;
}

/* Steps that follow one another need a little more each time. */
static carom_status reserve_floats(carom_detect_job *job, carom_row_shape shape, uint64_t rows) {
    carom_context *context = job->context;
    const uint64_t needed = job->headroom == CAROM_HEADROOM_AHEAD ? carom_context_nearly(rows) : rows;
    const bool ahead = job->headroom != CAROM_HEADROOM_NONE && context->memory.limit == 0;
    if (ahead && context->float_rows.block.bytes < carom_row_table_bytes(shape, carom_row_table_round(needed)) &&
        carom_row_table_reserve(&context->float_rows, &context->memory, shape, carom_context_more(rows)) == CAROM_OK) {
        return CAROM_OK;
    }
    return carom_row_table_reserve(&context->float_rows, &context->memory, shape, rows);
}

carom_status carom_output_round_rows(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    const carom_row_table *doubles = &context->rows;
    carom_row_table *floats = &context->float_rows;
    const carom_row_shape shape = carom_rows_float_shape(job);
    CAROM_ASSERT(rows <= doubles->capacity);
    CAROM_ASSERT(job->rows.shape.real_size == sizeof(double));
    if (reserve_floats(job, shape, rows) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    carom_image_rows from = {job->rows.shape, doubles->block.data, doubles->capacity, rows};
    carom_image_rows to = {shape, floats->block.data, floats->capacity, rows};
    carom_image_rows_narrow(&context->team, &from, &to);
    job->detection->pair_count = rows;
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
