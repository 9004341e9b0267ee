/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows on their way from tasks to one block, in the order of the tasks. One worker, which does all tasks in order,
 * writes them where they stay. Several fill chunks; as soon as all tasks before one are done its place is known, and
 * whoever notices copies its rows there while they are still in cache and gives the chunks back. A block that turns out
 * too small is made larger once all rows are counted. */
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/sys/clock.h"

void CAROM_REAL(carom_detect_prepare_rows)(carom_detect_job *job) {
    carom_context *context = job->context;
    bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    job->shape = (carom_row_shape){contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real),
                                   job->images != NULL ? 3 : 0};
    job->store_rows = !job->config->count_only && !CAROM_REAL(carom_detect_has_sink)(job);
    if (!job->store_rows) {
        return;
    }
    carom_chunk_pool_restart(&context->chunks);
    /* The block may have held rows of another shape; what it can hold of this one is a matter of its bytes. If the room
     * once needed is not to be had now, rows will be lost below and counted. */
    uint64_t keep = carom_rows_bytes(job->shape, 16);
    context->rows.capacity = context->rows.block.bytes / keep * 16;
    if (context->expected_rows > context->rows.capacity) {
        (void)carom_rows_reserve(&context->rows, &context->memory, job->shape, context->expected_rows);
    }
    context->expected_rows = 0;
}

void CAROM_REAL(carom_detect_put_rows)(const carom_detect_job *job, void *block, uint64_t capacity, uint64_t at,
                                       uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    carom_contact_rows rows = CAROM_REAL(carom_rows_view)(job->shape, block, capacity, at);
    if (job->shape.fields == CAROM_ROW_FIELDS) {
        job->context->simd->CAROM_REAL(contact)(job->records, 0, count, slot_i, slot_k, !job->config->all_pairs, &rows);
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t a = (uint32_t)job->records[slot_i[n]].body;
        uint32_t b = (uint32_t)job->records[slot_k[n]].body;
        rows.i[n] = a < b ? a : b;
        rows.k[n] = a < b ? b : a;
    }
}

static void lose_rows(carom_detect_job *job) {
    atomic_store_explicit(&job->rows_lost, 1, memory_order_relaxed);
}

static void append_to_block(carom_detect_job *job, uint64_t at, uint32_t count, const uint32_t *slot_i,
                            const uint32_t *slot_k) {
    carom_rows *rows = &job->context->rows;
    if (carom_rows_grow(rows, &job->context->memory, job->shape, at + count, at) != CAROM_OK) {
        lose_rows(job);
        return;
    }
    CAROM_REAL(carom_detect_put_rows)(job, rows->block.data, rows->capacity, at, count, slot_i, slot_k);
}

/* Each chunk is filled to the last row. */
static void append_to_chunks(carom_detect_job *job, carom_cell_task *task, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k) {
    const uint64_t capacity = carom_chunk_rows(job->shape);
    while (count > 0) {
        carom_chunk *chunk = task->tail;
        if (chunk == NULL || chunk->count == capacity) {
            chunk = carom_chunk_take(&job->context->chunks, &job->context->memory);
            if (chunk == NULL) {
                lose_rows(job);
                return;
            }
            *(task->tail == NULL ? &task->head : &task->tail->next) = chunk;
            task->tail = chunk;
        }
        uint64_t room = capacity - chunk->count;
        uint32_t part = count < room ? count : (uint32_t)room;
        CAROM_REAL(carom_detect_put_rows)(job, chunk->rows, capacity, chunk->count, part, slot_i, slot_k);
        chunk->count += part;
        slot_i += part;
        slot_k += part;
        count -= part;
    }
}

void CAROM_REAL(carom_detect_store_pairs)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task,
                                          uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    if (job->deliver) {
        CAROM_REAL(carom_detect_blocks_append)(job, worker, task, count, slot_i, slot_k);
    } else if (job->store_rows && atomic_load_explicit(&job->rows_lost, memory_order_relaxed) == 0) {
        if (job->context->team.workers == 1) {
            append_to_block(job, task->first_row + task->rows, count, slot_i, slot_k);
        } else {
            append_to_chunks(job, task, count, slot_i, slot_k);
        }
    }
    task->rows += count;
}

/* A task's chunks to their place in the block, and back to the pool. */
static void copy_chunks(carom_detect_job *job, carom_cell_task *task) {
    carom_rows *rows = &job->context->rows;
    uint64_t at = task->first_row;
    uint64_t chunks = 0;
    for (const carom_chunk *chunk = task->head; chunk != NULL; chunk = chunk->next) {
        for (uint32_t f = 0; f < job->shape.fields; f++) {
            memcpy(carom_rows_field(job->shape, rows->block.data, rows->capacity, f, at),
                   carom_rows_field(job->shape, chunk->rows, carom_chunk_rows(job->shape), f, 0),
                   chunk->count * carom_rows_field_size(job->shape, f));
        }
        at += chunk->count;
        chunks++;
    }
    carom_chunk_give(&job->context->chunks, task->head, task->tail, chunks);
    task->head = NULL;
    task->tail = NULL;
}

void CAROM_REAL(carom_detect_begin_task)(carom_detect_job *job, carom_cell_task *task) {
    if (job->context->team.workers == 1) {
        task->first_row = job->placed_rows;
    }
}

/* Gives rows their places as far as tasks are done without a gap; several workers never do this at once. Returns the
 * first task that had none before, and in *end the one behind the last. */
static uint64_t place_tasks(carom_detect_job *job, uint64_t *end) {
    uint64_t first = job->placed_tasks;
    uint64_t t = first;
    for (; t < job->task_count && atomic_load_explicit(&job->tasks[t].done, memory_order_acquire) != 0; t++) {
        job->tasks[t].first_row = job->placed_rows;
        job->placed_rows += job->tasks[t].rows;
    }
    job->placed_tasks = t;
    *end = t;
    return first;
}

/* Whoever finds another placing tasks leaves it to the next, or in the end to the join: nobody waits. */
void CAROM_REAL(carom_detect_end_task)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task) {
    if (job->context->team.workers == 1) {
        job->placed_rows += task->rows;
        return;
    }
    atomic_store_explicit(&task->done, 1, memory_order_release);
    if (!job->store_rows || atomic_exchange_explicit(&job->placing, 1, memory_order_acquire) != 0) {
        return;
    }
    double clock = carom_clock_seconds();
    uint64_t end;
    uint64_t first = place_tasks(job, &end);
    atomic_store_explicit(&job->placing, 0, memory_order_release);
    for (uint64_t t = first; t < end; t++) {
        carom_cell_task *placed = &job->tasks[t];
        if (placed->head != NULL && placed->first_row + placed->rows <= job->context->rows.capacity) {
            copy_chunks(job, placed);
        }
    }
    CAROM_REAL(carom_detect_worker_lap)(worker, CAROM_PHASE_COLLECT, clock);
}

uint64_t CAROM_REAL(carom_detect_count_rows)(carom_detect_job *job) {
    uint64_t rows = 0;
    for (uint64_t t = 0; t < job->task_count; t++) {
        job->tasks[t].first_row = rows;
        rows += job->tasks[t].rows;
    }
    return rows;
}

uint64_t CAROM_REAL(carom_detect_chunk_bytes)(const carom_detect_job *job) {
    uint64_t chunks = 0;
    uint64_t rows = carom_chunk_rows(job->shape);
    for (uint64_t t = 0; t < job->task_count; t++) {
        chunks += (job->tasks[t].rows + rows - 1) / rows;
    }
    return carom_size_multiply(chunks, carom_chunk_bytes());
}

static void copy_tasks(void *data, uint32_t worker) {
    (void)worker;
    carom_detect_job *job = data;
    for (uint64_t t = carom_team_claim(&job->next_task); t < job->task_count; t = carom_team_claim(&job->next_task)) {
        if (job->tasks[t].head != NULL) {
            copy_chunks(job, &job->tasks[t]);
        }
    }
}

carom_status CAROM_REAL(carom_detect_join_rows)(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    uint64_t first = 0;
    while (first < job->task_count && job->tasks[first].head == NULL) {
        first++;
    }
    if (first == job->task_count) {
        return CAROM_OK;
    }
    if (carom_rows_grow(&context->rows, &context->memory, job->shape, rows, job->tasks[first].first_row) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    atomic_store_explicit(&job->next_task, first, memory_order_relaxed);
    carom_team_run(&context->team, copy_tasks, job);
    return CAROM_OK;
}
