/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/contact_store.h"

#include <string.h>

uint64_t carom_rows_round(uint64_t rows) {
    return carom_size_add(rows, 15) & ~UINT64_C(15);
}

uint32_t carom_rows_field_size(carom_row_shape shape, uint32_t field) {
    return field < CAROM_PAIR_FIELDS || field >= CAROM_SHIFT_FIELD ? (uint32_t)sizeof(uint32_t) : shape.real_size;
}

/* Of a row's first `fields` fields. */
static uint64_t leading_bytes(carom_row_shape shape, uint32_t fields) {
    return fields < CAROM_PAIR_FIELDS
               ? fields * sizeof(uint32_t)
               : CAROM_PAIR_FIELDS * sizeof(uint32_t) + (uint64_t)(fields - CAROM_PAIR_FIELDS) * shape.real_size;
}

static uint64_t row_bytes(carom_row_shape shape) {
    return leading_bytes(shape, shape.fields) + shape.shifts * sizeof(int32_t);
}

uint64_t carom_rows_bytes(carom_row_shape shape, uint64_t capacity) {
    return carom_size_multiply(capacity, row_bytes(shape));
}

void *carom_rows_field(carom_row_shape shape, void *block, uint64_t capacity, uint32_t field, uint64_t at) {
    bool is_shift = field >= CAROM_SHIFT_FIELD;
    if (block == NULL || (is_shift ? field - CAROM_SHIFT_FIELD >= shape.shifts : field >= shape.fields)) {
        return NULL;
    }
    uint64_t before = leading_bytes(shape, is_shift ? shape.fields : field) +
                      (is_shift ? (field - CAROM_SHIFT_FIELD) * sizeof(int32_t) : 0);
    return (char *)block + before * capacity + at * carom_rows_field_size(shape, field);
}

carom_status carom_rows_reserve(carom_rows *rows, carom_memory *memory, carom_row_shape shape, uint64_t count) {
    uint64_t capacity = carom_rows_round(count);
    carom_status status = carom_buffer_reserve(memory, &rows->block, carom_rows_bytes(shape, capacity));
    rows->capacity = status == CAROM_OK ? rows->block.bytes / row_bytes(shape) & ~UINT64_C(15) : 0;
    return status;
}

carom_status carom_rows_grow(carom_rows *rows, carom_memory *memory, carom_row_shape shape, uint64_t count,
                             uint64_t foretold, uint64_t keep) {
    if (count <= rows->capacity) {
        return CAROM_OK;
    }
    uint64_t half_more = rows->capacity + rows->capacity / 2;
    uint64_t wanted[2] = {foretold > count ? foretold : half_more > count ? half_more : count, count};
    for (int attempt = 0; attempt < 2; attempt++) {
        carom_rows larger = {{NULL, 0}, 0};
        if (carom_rows_reserve(&larger, memory, shape, wanted[attempt]) != CAROM_OK) {
            continue;
        }
        for (uint32_t f = 0; f < shape.fields && keep > 0; f++) {
            memcpy(carom_rows_field(shape, larger.block.data, larger.capacity, f, 0),
                   carom_rows_field(shape, rows->block.data, rows->capacity, f, 0),
                   keep * carom_rows_field_size(shape, f));
        }
        carom_rows_release(rows, memory);
        *rows = larger;
        return CAROM_OK;
    }
    return CAROM_ERROR_MEMORY;
}

void carom_rows_release(carom_rows *rows, carom_memory *memory) {
    carom_buffer_release(memory, &rows->block);
    rows->capacity = 0;
}

static uint64_t header_bytes(void) {
    return (sizeof(carom_chunk) + CAROM_CACHE_LINE - 1) / CAROM_CACHE_LINE * CAROM_CACHE_LINE;
}

uint64_t carom_chunk_bytes(void) {
    return header_bytes() + UINT64_C(2) * CAROM_CHUNK_PAIRS * sizeof(uint32_t);
}

uint64_t carom_chunk_count(uint64_t pairs) {
    return pairs / CAROM_CHUNK_PAIRS + (pairs % CAROM_CHUNK_PAIRS != 0);
}

void carom_chunk_pool_release(carom_chunk_pool *pool, carom_memory *memory) {
    uint64_t bytes = carom_chunk_bytes();
    while (pool->all != NULL) {
        carom_chunk *next = pool->all->pool_next;
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
    pool->taken = 0;
    pool->spare = NULL;
    for (carom_chunk *chunk = pool->all; chunk != NULL; chunk = chunk->pool_next) {
        chunk->next = pool->spare;
        pool->spare = chunk;
    }
}

static void lock(carom_chunk_pool *pool) {
    while (atomic_flag_test_and_set_explicit(&pool->busy, memory_order_acquire)) {
        /* held for a few instructions, once a chunk */
    }
}

static void unlock(carom_chunk_pool *pool) {
    atomic_flag_clear_explicit(&pool->busy, memory_order_release);
}

static carom_chunk *new_chunk(carom_chunk_pool *pool, carom_memory *memory) {
    carom_chunk *chunk = carom_memory_allocate(memory, carom_chunk_bytes());
    if (chunk != NULL) {
        chunk->slot_i = (uint32_t *)(void *)((char *)chunk + header_bytes());
        chunk->slot_k = chunk->slot_i + CAROM_CHUNK_PAIRS;
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
        chunk = new_chunk(pool, memory);
    }
    if (chunk != NULL) {
        chunk->next = NULL;
        chunk->count = 0;
    }
    return chunk;
}

void carom_chunk_give(carom_chunk_pool *pool, carom_chunk *first, carom_chunk *last, uint64_t count) {
    lock(pool);
    pool->taken -= count;
    last->next = pool->spare;
    pool->spare = first;
    unlock(pool);
}

void carom_chunk_pool_reserve(carom_chunk_pool *pool, carom_memory *memory, uint64_t count) {
    while (pool->held < count) {
        carom_chunk *chunk = new_chunk(pool, memory);
        if (chunk == NULL) {
            return;
        }
        carom_chunk_give(pool, chunk, chunk, 1);
    }
}
