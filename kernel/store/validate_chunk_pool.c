/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a pool that no thread uses meanwhile. Out: NULL, or what is wrong with it. O(chunks). */
#include <stdbool.h>

#include "kernel/store/chunk_pool.h"

/* Both columns lie behind the chunk's head, on cache lines, one behind the other. */
static bool has_columns(const carom_chunk *chunk) {
    const uintptr_t head = (uintptr_t)chunk;
    const uintptr_t column = (uintptr_t)chunk->slot_i;
    return column >= head + sizeof *chunk && column % CAROM_CACHE_LINE == 0 &&
           chunk->slot_k == chunk->slot_i + CAROM_CHUNK_PAIRS;
}

static const char *check_all(const carom_chunk_pool *pool) {
    uint64_t count = 0;
    for (const carom_chunk *chunk = pool->all; chunk != NULL; chunk = chunk->pool_next) {
        count++;
        if (count > pool->held) {
            return "the pool has more chunks than it holds, or a loop of them";
        }
        if (chunk->count > CAROM_CHUNK_PAIRS) {
            return "a chunk has more pairs than it can hold";
        }
        if (!has_columns(chunk)) {
            return "the columns of a chunk do not lie behind its head";
        }
        if ((chunk->answer != NULL) != (chunk->answer_bytes > 0)) {
            return "a chunk has answers without bytes, or bytes without answers";
        }
    }
    return count < pool->held ? "the pool has fewer chunks than it holds" : NULL;
}

const char *carom_chunk_pool_validate(const carom_chunk_pool *pool) {
    if (pool->taken > pool->held) {
        return "more chunks are in use than the pool holds";
    }
    uint64_t spare = 0;
    for (const carom_chunk *chunk = pool->spare; chunk != NULL && spare <= pool->held; chunk = chunk->next) {
        spare++;
    }
    return spare != pool->held - pool->taken ? "the spare chunks are not those that are not in use" : check_all(pool);
}
