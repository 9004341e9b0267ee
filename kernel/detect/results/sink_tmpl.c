/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/sink_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/members_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/detect/results/sink.h"
#include "kernel/periodic/image_rows.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/sys/error.h"

#define carom_sink_deliver CAROM_REAL(carom_sink_deliver)

typedef CAROM_REAL(carom_block) carom_block;

/* One block a worker, and beside it the floats that its rows are rounded to. */
static carom_status reserve_blocks(carom_detect_job *job) {
    carom_context *context = job->context;
    const bool floats = job->periodic.float_results;
    uint64_t own = carom_row_table_bytes(job->rows.shape, CAROM_BLOCK_ROWS);
    uint64_t each = own + (floats ? carom_row_table_bytes(carom_rows_float_shape(job), CAROM_BLOCK_ROWS) : 0);
    carom_work_need need = {CAROM_WORK_BLOCKS, context->team.workers * each};
    carom_status status = carom_job_reserve(job, &need, 1);
    char *block = carom_context_work(context, CAROM_WORK_BLOCKS);
    for (uint32_t w = 0; w < context->team.workers && status == CAROM_OK; w++) {
        job->workers[w].block.rows = block + w * each;
        job->workers[w].block.float_rows = floats ? block + w * each + own : NULL;
    }
    return status;
}

/* Member lists come after the first block is delivered, when the call can no longer start over: their memory is
 * reserved before. */
carom_status carom_sink_start(carom_detect_job *job) {
    if (job->rows.destination != CAROM_ROWS_TO_SINK) {
        return CAROM_OK;
    }
    carom_status status = reserve_blocks(job);
    if (status == CAROM_OK && job->config->group_members && carom_job_wants_groups(job)) {
        status = carom_members_reserve_all(job);
    }
    return status;
}

/* Relaxed: a worker that learns of it late only does some work for nothing. */
bool carom_sink_stopped(const carom_detect_job *job) {
    return atomic_load_explicit(&job->sink.stopped, memory_order_relaxed) != 0 || carom_job_stopped(job);
}

static const uint32_t *child_of(const carom_row_block *from, uint32_t side) {
    return carom_row_table_field(from->shape, from->rows, CAROM_BLOCK_ROWS, CAROM_CHILD_FIELD + side, 0);
}

/* Fields that the rows lack are NULL in the block too. */
bool carom_sink_deliver(const carom_detect_output *output, const carom_row_block *from, uint64_t *hash) {
    CAROM_ASSERT(output != NULL && output->sink != NULL);
    CAROM_ASSERT(from->count > 0 && from->count <= CAROM_BLOCK_ROWS);
    CAROM_ASSERT(from->shape.real_size == sizeof(carom_real));
    carom_block block = {.size = sizeof block,
                         .task = from->task,
                         .part = from->part,
                         .count = from->count,
                         .contacts = carom_row_table_view(from->shape, from->rows, CAROM_BLOCK_ROWS, 0),
                         .child_i = child_of(from, 0),
                         .child_k = child_of(from, 1)};
    if (hash != NULL) {
        *hash += carom_hash_rows(&block.contacts, 0, block.count, 0);
    }
    return output->sink(output->sink_user, &block);
}

/* Rows of owned bodies and images become rows of the caller's bodies; rows of floats if these are floats. */
static bool map_and_deliver(carom_detect_job *job, carom_worker *worker, carom_row_block *block) {
    uint64_t *hash = job->config->hash ? &worker->block.hash : NULL;
    const carom_image_rows rows = {block->shape, block->rows, CAROM_BLOCK_ROWS, block->count};
    if (job->periodic.images != NULL) {
        carom_image_rows_map_alone(job->periodic.images, &rows);
    }
    if (!job->periodic.float_results) {
        return carom_sink_deliver(job->output, block, hash);
    }
    const carom_image_rows floats = {carom_rows_float_shape(job), worker->block.float_rows, CAROM_BLOCK_ROWS,
                                     block->count};
    carom_image_rows_narrow_alone(&rows, &floats);
    block->shape = floats.shape;
    block->rows = floats.block;
    return carom_sink_deliver_f32(job->periodic.float_output, block, hash);
}

void carom_sink_flush(carom_detect_job *job, carom_worker *worker, carom_task *task) {
    if (worker->block.count == 0 || carom_sink_stopped(job)) {
        return;
    }
    carom_row_block block = {.shape = job->rows.shape,
                             .rows = worker->block.rows,
                             .count = worker->block.count,
                             .task = (uint64_t)(task - job->queue.tasks),
                             .part = task->blocks++};
    worker->block.count = 0; /* before the caller's function: a block is delivered once, whatever that does */
    atomic_store_explicit(&job->sink.delivered, 1, memory_order_relaxed);
    if (!map_and_deliver(job, worker, &block)) {
        atomic_store_explicit(&job->sink.stopped, 1, memory_order_relaxed);
    }
}

void carom_sink_append(carom_detect_job *job, carom_worker *worker, carom_task *task, const carom_hits *hits) {
    CAROM_ASSERT(job->rows.destination == CAROM_ROWS_TO_SINK && worker->block.rows != NULL);
    for (uint32_t begin = 0; begin < hits->count && !carom_sink_stopped(job);) {
        CAROM_ASSERT(worker->block.count < CAROM_BLOCK_ROWS);
        const uint32_t room = CAROM_BLOCK_ROWS - worker->block.count;
        const uint32_t left = hits->count - begin;
        const carom_hits fits = carom_hits_part(hits, begin, left < room ? left : room);
        carom_rows_write(job, (uint32_t)(worker - job->workers), worker->block.rows, CAROM_BLOCK_ROWS,
                         worker->block.count, &fits);
        worker->block.count += fits.count;
        if (worker->block.count == CAROM_BLOCK_ROWS) {
            carom_sink_flush(job, worker, task);
        }
        begin += fits.count;
    }
}

carom_status carom_sink_end(carom_detect_job *job) {
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        job->sink.hash += job->workers[w].block.hash;
    }
    return carom_sink_stopped(job)
               ? carom_error_set(job->error, CAROM_ERROR_STOPPED, "the caller's sink stopped the detection")
               : CAROM_OK;
}
