/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Chunks are linked twice: all of them by pool_next, for release, and the spare ones by next. The lists change under a
 * spin lock, once for thousands of pairs. */
#include "kernel/store/chunk_pool.h"

#include "kernel/check/assert.h"

/* A chunk's head takes whole cache lines, so that its columns begin on one. */
static uint64_t header_bytes(void) {
    return (sizeof(carom_chunk) + CAROM_CACHE_LINE - 1) / CAROM_CACHE_LINE * CAROM_CACHE_LINE;
}

uint64_t carom_chunk_bytes(void) {
    return header_bytes() + UINT64_C(2) * CAROM_CHUNK_PAIRS * sizeof(uint32_t);
}

uint64_t carom_chunk_count(uint64_t pairs) {
    return pairs / CAROM_CHUNK_PAIRS + (pairs % CAROM_CHUNK_PAIRS != 0);
}

static void release_answers(carom_chunk *chunk, carom_memory *memory) {
    if (chunk->answer != NULL) {
        carom_memory_release(memory, chunk->answer, chunk->answer_bytes);
        chunk->answer = NULL;
        chunk->answer_bytes = 0;
    }
}

bool carom_chunk_reserve_answers(carom_chunk *chunk, carom_memory *memory, uint64_t bytes) {
    if (chunk->answer_bytes < bytes) {
        release_answers(chunk, memory);
        chunk->answer = carom_memory_allocate(memory, bytes);
        chunk->answer_bytes = chunk->answer != NULL ? bytes : 0;
    }
    return chunk->answer_bytes >= bytes;
}

void carom_chunk_pool_release(carom_chunk_pool *pool, carom_memory *memory) {
    CAROM_VALIDATE(carom_chunk_pool_validate(pool));
    uint64_t bytes = carom_chunk_bytes();
    while (pool->all != NULL) {
        carom_chunk *next = pool->all->pool_next;
        release_answers(pool->all, memory);
        carom_memory_release(memory, pool->all, bytes);
        pool->all = next;
    }
    pool->spare = NULL;
    pool->held = 0;
    pool->taken = 0;
}

void carom_chunk_pool_restart(carom_chunk_pool *pool) {
    if (pool->taken == 0) {
        return;
    }
    /* Tasks of a failed call may still have some, so the list of spare chunks is made anew from all chunks. */
    pool->taken = 0;
    pool->spare = NULL;
    for (carom_chunk *chunk = pool->all; chunk != NULL; chunk = chunk->pool_next) {
        chunk->next = pool->spare;
        pool->spare = chunk;
    }
    CAROM_VALIDATE(carom_chunk_pool_validate(pool));
}

/* A lock of the system would cost more than what it protects: a few loads and stores. */
static void lock(carom_chunk_pool *pool) {
    while (atomic_flag_test_and_set_explicit(&pool->busy, memory_order_acquire)) {
        /* spins: the holder needs a few instructions */
    }
}

static void unlock(carom_chunk_pool *pool) {
    atomic_flag_clear_explicit(&pool->busy, memory_order_release);
}

/* A chunk in use. It is allocated outside the lock, so that no thread waits for the allocator of another. */
static carom_chunk *new_chunk(carom_chunk_pool *pool, carom_memory *memory) {
    carom_chunk *chunk = carom_memory_allocate(memory, carom_chunk_bytes());
    if (chunk != NULL) {
        chunk->slot_i = (uint32_t *)(void *)((char *)chunk + header_bytes());
        chunk->slot_k = chunk->slot_i + CAROM_CHUNK_PAIRS;
        chunk->answer = NULL;
        chunk->answer_bytes = 0;
        chunk->next = NULL;
        chunk->count = 0;
        lock(pool);
        chunk->pool_next = pool->all;
        pool->all = chunk;
        pool->held++;
        pool->taken++;
        unlock(pool);
    }
    return chunk;
}

carom_chunk *carom_chunk_take(carom_chunk_pool *pool, carom_memory *memory) {
    lock(pool);
    carom_chunk *chunk = pool->spare;
    if (chunk != NULL) {
        pool->spare = chunk->next;
        pool->taken++;
    }
    unlock(pool);
    if (chunk == NULL) {
        return new_chunk(pool, memory);
    }
    chunk->next = NULL;
    chunk->count = 0;
    return chunk;
}

void carom_chunk_give(carom_chunk_pool *pool, carom_chunk *first, carom_chunk *last, uint64_t count) {
    CAROM_ASSERT(count >= 1 && first != NULL && last != NULL && last->next == NULL);
    lock(pool);
    CAROM_ASSERT(count <= pool->taken);
    pool->taken -= count;
    last->next = pool->spare;
    pool->spare = first;
    unlock(pool);
}

void carom_chunk_pool_reserve(carom_chunk_pool *pool, carom_memory *memory, uint64_t count, uint64_t answer_bytes) {
    while (pool->held < count) {
        carom_chunk *chunk = new_chunk(pool, memory);
        if (chunk == NULL) {
            return;
        }
        carom_chunk_give(pool, chunk, chunk, 1);
    }
    /* These are taken first, and again when they are given back. */
    carom_chunk *chunk = pool->spare;
    for (uint64_t n = 0; n < count && chunk != NULL; n++, chunk = chunk->next) {
        if (!carom_chunk_reserve_answers(chunk, memory, answer_bytes)) {
            return;
        }
    }
    CAROM_VALIDATE(carom_chunk_pool_validate(pool));
}
