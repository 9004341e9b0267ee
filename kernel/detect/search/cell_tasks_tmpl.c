/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/search/cell_tasks_tmpl.h"

#include "kernel/check/assert.h"

/* Records that are asked for this many slots ahead. */
enum { RECORDS_AHEAD = 1024 };
/* Boxes in a task: a share of the part's bodies, within limits. That gives enough tasks to share out evenly, each large
 * enough to cost nothing, and the same ones for any number of workers. */
enum { TASK_SHARE = 128, TASK_LEAST = 512, TASK_MOST = 16384 };

uint64_t carom_cell_tasks_size(uint64_t bodies) {
    uint64_t size = bodies / TASK_SHARE;
    size = size > TASK_LEAST ? size : TASK_LEAST;
    return size < TASK_MOST ? size : TASK_MOST;
}

carom_status carom_cell_tasks_reserve(carom_detect_job *job, uint64_t more) {
    carom_context *context = job->context;
    carom_buffer *buffer = &context->work[CAROM_WORK_TASKS];
    uint64_t bytes = carom_size_multiply(carom_size_add(job->queue.count, more), sizeof(carom_task));
    if (bytes > buffer->bytes &&
        carom_buffer_grow(&context->memory, buffer, bytes, job->queue.count * sizeof(carom_task)) != CAROM_OK) {
        return carom_job_no_memory(job, carom_size_add(context->memory.held, bytes));
    }
    job->queue.tasks = buffer->data;
    return CAROM_OK;
}

void carom_cell_tasks_end(carom_detect_job *job, uint64_t first, uint32_t end) {
    if (job->queue.count > first) {
        job->queue.tasks[job->queue.count - 1].end = end;
    }
}

void carom_cell_tasks_begin(carom_detect_job *job, uint64_t first, uint32_t begin) {
    carom_cell_tasks_end(job, first, begin);
    job->queue.tasks[job->queue.count++] = (carom_task){.begin = begin};
}

carom_status carom_cell_tasks_reserve_space(carom_detect_job *job, uint64_t entries) {
    carom_context *context = job->context;
    uint64_t workers = context->team.workers;
    uint64_t each = carom_cell_workspace_bytes(entries);
    carom_work_need need = {CAROM_WORK_CELL_SPACE, carom_size_multiply(workers, each)};
    carom_status status = carom_job_reserve(job, &need, 1);
    if (status != CAROM_OK) {
        return status;
    }
    char *block = carom_context_work(context, CAROM_WORK_CELL_SPACE);
    for (uint64_t w = 0; w < workers; w++) {
        carom_cell_workspace_lay_out(block + w * each, entries, &job->workers[w].workspace);
    }
    return CAROM_OK;
}

void carom_cell_tasks_store_bodies(const carom_detect_job *job, const carom_part *part, uint64_t begin, uint64_t end) {
    CAROM_ASSERT(begin <= end);
    if (part->depth > 0 || !carom_job_wants_groups(job)) {
        return;
    }
    CAROM_ASSERT(end <= job->bodies->count);
    for (uint64_t slot = begin; slot < end; slot++) {
        __builtin_prefetch(&job->search.records[slot + RECORDS_AHEAD]);
        job->groups.body[slot] = (uint32_t)job->search.records[slot].body;
    }
}
