/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/worlds/write_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/store/row_table_tmpl.h"

/* Rows that there will be if all worlds have as many as those so far. */
static uint64_t predicted_rows(const carom_worlds_job *job, uint64_t rows) {
    const double done = (double)job->next_world;
    return job->next_world > 0 ? (uint64_t)((double)rows * ((double)job->worlds / done) * 1.02) : 0;
}

/* A table that grows is there twice for a while. */
void carom_worlds_require(carom_worlds_job *job, uint64_t rows, uint64_t more) {
    const uint64_t predicted = predicted_rows(job, rows);
    const uint64_t most = predicted > rows ? predicted : rows;
    const uint64_t table = carom_row_table_bytes(job->shape, carom_row_table_round(job->config->count_only ? 0 : most));
    const uint64_t required = carom_size_add(job->context->memory.held, carom_size_add(table, more));
    job->result->required_bytes = required > job->result->required_bytes ? required : job->result->required_bytes;
}

carom_status carom_worlds_rows_reserve(carom_worlds_job *job, uint64_t keep) {
    carom_row_table *table = &job->context->worlds_rows;
    carom_memory *memory = &job->context->memory;
    const carom_status status = carom_row_table_grow(table, memory, job->context->team.control, job->shape, job->rows,
                                                     predicted_rows(job, job->rows), keep);
    if (status == CAROM_ERROR_MEMORY) {
        carom_worlds_require(job, job->rows, 0);
    }
    return status;
}

/* Rows without contacts: only who. */
static void write_pairs(const carom_record *records, const carom_chunk *chunk, const carom_contacts *rows) {
    for (uint32_t n = 0; n < chunk->count; n++) {
        rows->i[n] = (uint32_t)records[chunk->slot_i[n]].body;
        rows->k[n] = (uint32_t)records[chunk->slot_k[n]].body;
    }
}

static void write_task(const carom_worlds_job *job, const carom_worlds_task *task) {
    const carom_row_table *table = &job->context->worlds_rows;
    const uint64_t end = task->first_row + task->rows;
    uint64_t row = task->first_row;
    for (const carom_chunk *chunk = task->head; row < end; chunk = chunk->next) {
        const carom_contacts rows = carom_row_table_view(job->shape, table->block.data, table->capacity, row);
        if (carom_worlds_contacts(job)) {
            const carom_contact_in pairs = {job->records, 0, chunk->count, chunk->slot_i, chunk->slot_k, true};
            carom_kernels_of(job->context->simd)->contact(&pairs, &rows);
        } else {
            write_pairs(job->records, chunk, &rows);
        }
        row += chunk->count;
    }
    CAROM_ASSERT(row == end);
}

static void write_tasks(void *data, uint32_t worker) {
    carom_worlds_job *job = data;
    const carom_worlds_task *task;
    while ((task = carom_worlds_claim(job, worker)) != NULL) {
        write_task(job, task);
    }
}

carom_status carom_worlds_write(carom_worlds_job *job) {
    carom_claims_start(&job->claims, &job->context->team, job->task_count, 1);
    carom_team_run(&job->context->team, write_tasks, job);
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
