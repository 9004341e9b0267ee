/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs for the caller's sink: each worker gathers those of its task in one block of rows and hands it over when it is
 * full and when the task ends; in a periodic box it first makes them rows of the caller's bodies, and of floats where
 * those are. Tasks are the same for any number of workers, so the blocks are. Once the first block is out the call
 * cannot begin again, so that all memory is taken before but what crowded cells and wide bodies need. */
#include "kernel/step/blocks.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/step/image_rows.h"
#include "kernel/step/job_tmpl.h"
#include "kernel/sys/error.h"

bool CAROM_REAL(carom_detect_has_sink)(const carom_detect_job *job) {
    return (job->output != NULL && job->output->sink != NULL) ||
           (job->narrow_output != NULL && job->narrow_output->sink != NULL);
}

carom_status CAROM_REAL(carom_detect_blocks_start)(carom_detect_job *job) {
    carom_context *context = job->context;
    if (!CAROM_REAL(carom_detect_has_sink)(job)) {
        return CAROM_OK;
    }
    uint64_t own = carom_rows_bytes(job->shape, CAROM_BLOCK_ROWS);
    uint64_t each =
        own + (job->narrow ? carom_rows_bytes(CAROM_REAL(carom_detect_narrow_shape)(job), CAROM_BLOCK_ROWS) : 0);
    uint64_t required = 0;
    carom_work_need need = {CAROM_WORK_BLOCKS, context->team.workers * each};
    if (carom_context_reserve(context, &need, 1, &required) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_memory)(job, required);
    }
    char *block = carom_context_work(context, CAROM_WORK_BLOCKS);
    for (uint32_t w = 0; w < context->team.workers; w++) {
        job->workers[w].block = block + w * each;
        job->workers[w].narrow_block = job->narrow ? block + w * each + own : NULL;
    }
    job->deliver = true;
    if (!job->config->group_members || job->config->until < CAROM_UNTIL_GROUPS) {
        return CAROM_OK;
    }
    carom_status status = CAROM_REAL(carom_detect_members_reserve)(job, job->owned / 2);
    if (status == CAROM_OK && carom_buffer_reserve(&context->memory, &context->sort.histogram,
                                                   carom_radix_sort_bytes(&context->team)) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    return status;
}

bool CAROM_REAL(carom_detect_stopped)(const carom_detect_job *job) {
    return atomic_load_explicit(&job->stopped, memory_order_relaxed) != 0;
}

bool CAROM_REAL(carom_blocks_hand_over)(const carom_detect_output *output, const carom_row_block *from,
                                        uint64_t *hash) {
    carom_contact_rows rows = CAROM_REAL(carom_rows_view)(from->shape, from->rows, CAROM_BLOCK_ROWS, 0);
    carom_block block = {.task = from->task,
                         .part = from->part,
                         .count = from->count,
                         .i = rows.i,
                         .k = rows.k,
                         .t_ca = rows.t_ca,
                         .distance = rows.distance,
                         .t_toi = rows.t_toi,
                         .normal = {rows.normal[0], rows.normal[1], rows.normal[2]},
                         .point = {rows.point[0], rows.point[1], rows.point[2]}};
    for (uint32_t a = 0; a < 3; a++) {
        block.shift[a] = carom_rows_field(from->shape, from->rows, CAROM_BLOCK_ROWS, CAROM_SHIFT_FIELD + a, 0);
    }
    if (hash != NULL) {
        carom_detection seen = {
            .i = block.i, .k = block.k, .t_ca = block.t_ca, .distance = block.distance, .t_toi = block.t_toi};
        memcpy(seen.normal, block.normal, sizeof seen.normal);
        memcpy(seen.point, block.point, sizeof seen.point);
        memcpy(seen.shift, block.shift, sizeof seen.shift);
        *hash += CAROM_REAL(carom_detect_hash_rows)(&seen, 0, block.count);
    }
    return output->sink(output->sink_user, &block);
}

/* Rows of owned bodies and images become the caller's; floats if theirs are. */
static bool deliver(carom_detect_job *job, carom_worker *worker, carom_row_block *block) {
    uint64_t *hash = job->config->hash ? &worker->result_hash : NULL;
    const carom_image_rows rows = {block->shape, block->rows, CAROM_BLOCK_ROWS, block->count};
    if (job->images != NULL) {
        carom_image_rows_map_alone(job->images, &rows);
    }
    if (!job->narrow) {
        return CAROM_REAL(carom_blocks_hand_over)(job->output, block, hash);
    }
    const carom_image_rows floats = {CAROM_REAL(carom_detect_narrow_shape)(job), worker->narrow_block, CAROM_BLOCK_ROWS,
                                     block->count};
    carom_image_rows_narrow_alone(&rows, &floats);
    block->shape = floats.shape;
    block->rows = floats.block;
    return carom_blocks_hand_over_f32(job->narrow_output, block, hash);
}

void CAROM_REAL(carom_detect_blocks_flush)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task) {
    if (worker->block_rows == 0 || CAROM_REAL(carom_detect_stopped)(job)) {
        return;
    }
    carom_row_block block = {.shape = job->shape,
                             .rows = worker->block,
                             .count = worker->block_rows,
                             .task = (uint64_t)(task - job->tasks),
                             .part = task->parts++};
    worker->block_rows = 0;
    atomic_store_explicit(&job->delivered, 1, memory_order_relaxed);
    if (!deliver(job, worker, &block)) {
        atomic_store_explicit(&job->stopped, 1, memory_order_relaxed);
    }
}

void CAROM_REAL(carom_detect_blocks_append)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task,
                                            uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    while (count > 0 && !CAROM_REAL(carom_detect_stopped)(job)) {
        uint32_t room = CAROM_BLOCK_ROWS - worker->block_rows;
        uint32_t part = count < room ? count : room;
        CAROM_REAL(carom_detect_put_rows)
        (job, worker->block, CAROM_BLOCK_ROWS, worker->block_rows, part, slot_i, slot_k);
        worker->block_rows += part;
        if (worker->block_rows == CAROM_BLOCK_ROWS) {
            CAROM_REAL(carom_detect_blocks_flush)(job, worker, task);
        }
        slot_i += part;
        slot_k += part;
        count -= part;
    }
}

carom_status CAROM_REAL(carom_detect_blocks_end)(carom_detect_job *job) {
    return CAROM_REAL(carom_detect_stopped)(job)
               ? carom_error_set(job->error, CAROM_ERROR_STOPPED, "the caller's sink stopped the detection")
               : CAROM_OK;
}
