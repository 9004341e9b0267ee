/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows of the pairs that are left. The rows of a worker's probes follow one another, so each writes a stretch of its
 * own. */
#include "kernel/check/assert.h"
#include "kernel/query/job_tmpl.h"
#include "kernel/store/row_table_tmpl.h"

/* Probes between two looks at the flag. */
enum { PROBES_AT_ONCE = 256 };

typedef struct write_job {
    const carom_query_job *job;
    carom_row_shape shape;
} write_job;

/* The kernel numbers bodies and probes in one row. */
static void write_batch(const write_job *w, carom_query_batch *batch, uint64_t row) {
    const carom_query_job *job = w->job;
    carom_query_pairs pairs;
    carom_query_batch_pairs(batch, &pairs);
    const carom_row_table *table = &job->context->query_rows;
    const carom_contacts rows = carom_row_table_view(w->shape, table->block.data, table->capacity, row);
    const carom_contact_in in = {batch->record, 0, batch->count, pairs.i, pairs.k, true};
    carom_kernels_of(job->context->simd)->contact(&in, &rows);
    if (job->hooks != NULL) {
        job->hooks->name(job, batch, &rows);
    }
    for (uint32_t n = 0; n < batch->count && job->hooks == NULL; n++) {
        rows.k[n] -= (uint32_t)job->bodies;
    }
    batch->count = 0;
}

static uint64_t write_contacts(const write_job *w, uint32_t probe, carom_query_batch *batch, uint64_t row) {
    const carom_query_job *job = w->job;
    for (uint64_t n = 0; n < job->kept[probe]; n++) {
        carom_query_batch_add(job, batch, probe, job->first[probe] + n);
        if (batch->count == CAROM_QUERY_BATCH) {
            write_batch(w, batch, row);
            row += CAROM_QUERY_BATCH;
        }
    }
    return row;
}

static void write_pairs(const write_job *w, uint32_t probe) {
    const carom_query_job *job = w->job;
    const carom_row_table *table = &job->context->query_rows;
    const carom_contacts rows = carom_row_table_view(w->shape, table->block.data, table->capacity, job->offset[probe]);
    for (uint64_t n = 0; n < job->kept[probe]; n++) {
        const uint64_t at = job->first[probe] + n;
        rows.i[n] = job->body[at];
        rows.k[n] = probe;
        if (job->hooks != NULL) {
            int32_t shift[3];
            job->hooks->shift(job, carom_query_view_of(job, at), rows.i[n], shift);
            for (int a = 0; a < 3; a++) {
                rows.shift[a][n] = shift[a];
            }
        }
    }
}

static void write_rows(void *data, uint32_t worker) {
    const write_job *w = data;
    const carom_query_job *job = w->job;
    carom_query_batch batch = {.count = 0};
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->probes, 1);
    uint64_t row = job->offset[walk.begin];
    walk.step = PROBES_AT_ONCE;
    while (carom_walk_next(&walk)) {
        for (uint64_t q = walk.begin; q < walk.end; q++) {
            if (job->config->until == CAROM_UNTIL_PAIRS) {
                write_pairs(w, (uint32_t)q);
            } else {
                row = write_contacts(w, (uint32_t)q, &batch, row);
            }
        }
    }
    if (batch.count > 0) {
        write_batch(w, &batch, row);
    }
}

carom_status carom_query_write(carom_query_job *job, uint64_t rows, carom_query_answer *answer, uint64_t *required) {
    carom_context *context = job->context;
    carom_row_table *table = &context->query_rows;
    const bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    const uint32_t shifts = job->hooks != NULL ? 3 : 0;
    write_job w = {job, {contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real), shifts, 0}};
    const uint64_t bytes = carom_row_table_bytes(w.shape, carom_row_table_round(rows));
    table->capacity = table->block.bytes / carom_row_table_bytes(w.shape, CAROM_ROW_MULTIPLE) * CAROM_ROW_MULTIPLE;
    if (rows > table->capacity && carom_row_table_reserve(table, &context->memory, w.shape, rows) != CAROM_OK) {
        *required = carom_size_add(context->memory.held, bytes);
        return CAROM_ERROR_MEMORY;
    }
    if (rows > 0) {
        carom_team_run(&context->team, write_rows, &w);
        answer->contacts = carom_row_table_view(w.shape, table->block.data, table->capacity, 0);
    }
    if (carom_team_stopped(&context->team)) {
        return CAROM_ERROR_CANCELLED;
    }
    return job->hooks != NULL ? job->hooks->finish(job, rows, required) : CAROM_OK;
}
