/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what buffers a stage needs. Out: buffers that are large enough, or how much memory is missing. */
#include "kernel/store/context.h"

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

carom_status carom_context_reserve(carom_context *context, const carom_work_need *need, uint32_t count,
                                   uint64_t *required) {
    carom_status status = CAROM_OK;
    uint64_t missing = 0;
    for (uint32_t n = 0; n < count; n++) {
        CAROM_ASSERT(need[n].which < CAROM_WORK_ALL);
        carom_buffer *buffer = &context->work[need[n].which];
        if (status == CAROM_OK) {
            status = carom_buffer_reserve(&context->memory, buffer, need[n].bytes);
        }
        /* The sum goes on after a failure: the caller learns the whole need at once. */
        if (status != CAROM_OK && buffer->bytes < need[n].bytes) {
            missing = carom_size_add(missing, need[n].bytes - buffer->bytes);
        }
    }
    if (status != CAROM_OK && required != NULL) {
        *required = carom_size_add(context->memory.held, missing);
    }
    return status;
}

/* The contents of the buffers are lost: the stage that asks is about to fill them. A failure is not an error, since the
 * bare need is reserved afterwards. */
void carom_context_reserve_more(carom_context *context, const carom_work_need *need, uint32_t count,
                                carom_headroom headroom) {
    if (headroom == CAROM_HEADROOM_NONE || context->memory.limit != 0) {
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        carom_buffer *buffer = &context->work[need[n].which];
        const uint64_t bytes = need[n].bytes;
        if (buffer->bytes < (headroom == CAROM_HEADROOM_AHEAD ? carom_context_nearly(bytes) : bytes)) {
            (void)carom_buffer_grow(&context->memory, buffer, carom_context_more(bytes), 0);
        }
    }
}

carom_status carom_context_take_again(carom_context *context, carom_error *error) {
    if (atomic_exchange_explicit(&context->in_use, true, memory_order_acquire)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "the context is in use by another call");
    }
    return CAROM_OK;
}

carom_status carom_context_take(carom_context *context, carom_error *error) {
    const carom_status status = carom_context_take_again(context, error);
    if (status == CAROM_OK) {
        context->partition.searchable = false;
    }
    return status;
}

void carom_context_give_back(carom_context *context) {
    atomic_store_explicit(&context->in_use, false, memory_order_release);
}

void carom_context_use_workers(carom_context *context, uint64_t bodies) {
    CAROM_ASSERT(context->bodies_per_thread >= 1 && context->threads >= 1);
    uint64_t useful = bodies / context->bodies_per_thread;
    useful = useful > 1 ? useful : 1;
    context->team.workers = useful < context->threads ? (uint32_t)useful : context->threads;
    context->team.each = context->bodies_per_thread;
}

void carom_context_release_work(carom_context *context) {
    for (int n = 0; n < CAROM_WORK_ALL; n++) {
        const bool of_worlds = n >= CAROM_WORK_WORLDS_RECORDS && n <= CAROM_WORK_WORLDS_LABEL;
        if (!(of_worlds && context->worlds_held)) {
            carom_buffer_release(&context->memory, &context->work[n]);
        }
    }
    if (!context->worlds_held) {
        carom_row_table_release(&context->worlds_rows, &context->memory);
    }
    carom_row_table_release(&context->rows, &context->memory);
    carom_row_table_release(&context->spare_rows, &context->memory);
    carom_row_table_release(&context->float_rows, &context->memory);
    carom_row_table_release(&context->query_rows, &context->memory);
    carom_row_table_release(&context->query_float_rows, &context->memory);
    carom_chunk_pool_release(&context->chunks, &context->memory);
    carom_radix_sort_release(&context->sort, &context->memory);
}
