/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/store/pair_log.h"

#include "kernel/sys/size.h"

void carom_pair_log_restart(carom_pair_log *log) {
    carom_chunk_pool_restart(log->pool);
    atomic_store_explicit(&log->failed, 0, memory_order_relaxed);
}

carom_chunk *carom_pair_log_chunk(carom_pair_log *log, carom_chunk **last) {
    if (*last != NULL && (*last)->count < CAROM_CHUNK_PAIRS) {
        return *last;
    }
    carom_chunk *chunk = carom_chunk_take(log->pool, log->memory);
    if (chunk == NULL) {
        atomic_store_explicit(&log->failed, 1, memory_order_relaxed);
        return NULL;
    }
    chunk->next = *last;
    *last = chunk;
    return chunk;
}

uint64_t carom_pair_log_bytes(uint64_t workers, uint64_t pairs) {
    return carom_size_multiply(carom_size_add(carom_chunk_count(pairs), workers), carom_chunk_bytes());
}
