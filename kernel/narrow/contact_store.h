/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Where contacts are kept: one block of rows, each field an array of its own, which grows; and chunks of pairs whose
 * rows have no place there yet, because several workers do not know how many rows come before theirs. Nothing is ever
 * cut off: when memory gives out, rows are counted on and the caller learns the exact number. */
#ifndef CAROM_NARROW_CONTACT_STORE_H
#define CAROM_NARROW_CONTACT_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/kernels.h"

/* Fields of a row: i, k, t_ca, distance, t_toi, normal and point of three each; shifts of three. */
enum { CAROM_ROW_FIELDS = 11, CAROM_PAIR_FIELDS = 2, CAROM_SHIFT_FIELD = CAROM_ROW_FIELDS, CAROM_FIELDS_ALL = 14 };
enum { CAROM_TIME_FIELD = 4 };

/* What a row holds: `fields` is CAROM_PAIR_FIELDS or CAROM_ROW_FIELDS, real_size 4 or 8; `shifts` 3 with shifts, else
 * 0. Shifts are only written when all rows are in one block: growing and joining leave them out. */
typedef struct carom_row_shape {
    uint32_t fields;
    uint32_t real_size;
    uint32_t shifts;
} carom_row_shape;

/* Bytes of `capacity` rows (a multiple of 16, so that every field starts on a cache line). */
uint64_t carom_rows_bytes(carom_row_shape shape, uint64_t capacity);
uint64_t carom_rows_round(uint64_t rows);

/* Start of a field's array in a block, at row `at`; NULL if the shape lacks the field or block is NULL. */
void *carom_rows_field(carom_row_shape shape, void *block, uint64_t capacity, uint32_t field, uint64_t at);
uint32_t carom_rows_field_size(carom_row_shape shape, uint32_t field);

/* Typed views of a block from row `at` on; fields that the shape lacks are NULL. */
carom_contact_rows_f32 carom_rows_view_f32(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at);
carom_contact_rows_f64 carom_rows_view_f64(carom_row_shape shape, void *block, uint64_t capacity, uint64_t at);

/* One block of rows that grows. */
typedef struct carom_rows {
    carom_buffer block;
    uint64_t capacity;
} carom_rows;

/* Room for `count`, contents lost; or keeping the first `keep` rows, and if memory allows for `foretold`, or where that
 * is no more than `count` for half as many again as before. */
carom_status carom_rows_reserve(carom_rows *rows, carom_memory *memory, carom_row_shape shape, uint64_t count);
carom_status carom_rows_grow(carom_rows *rows, carom_memory *memory, carom_row_shape shape, uint64_t count,
                             uint64_t foretold, uint64_t keep);
void carom_rows_release(carom_rows *rows, carom_memory *memory);

enum { CAROM_CHUNK_PAIRS = 4096 };

/* Pairs of slots. */
typedef struct carom_chunk {
    struct carom_chunk *next;      /* of the same task, or spare */
    struct carom_chunk *pool_next; /* of the pool */
    uint32_t count;
    uint32_t *slot_i;
    uint32_t *slot_k;
} carom_chunk;

/* Chunks shared by all workers and kept from call to call. Zero-initialise before the first use. */
typedef struct carom_chunk_pool {
    atomic_flag busy;
    carom_chunk *all;
    carom_chunk *spare; /* those not in use */
    uint64_t held;      /* all of them */
    uint64_t taken;     /* those in use */
} carom_chunk_pool;

/* Makes all chunks spare again, whatever a call that failed has left. */
void carom_chunk_pool_restart(carom_chunk_pool *pool);
/* Makes the pool hold `count` chunks at least, or as many as memory allows. Not while others use it. */
void carom_chunk_pool_reserve(carom_chunk_pool *pool, carom_memory *memory, uint64_t count);
/* An empty chunk, from any thread; NULL when memory gives out. */
carom_chunk *carom_chunk_take(carom_chunk_pool *pool, carom_memory *memory);
/* Makes `count` chunks from `first` to `last`, each the next of the one before, spare again. From any thread. */
void carom_chunk_give(carom_chunk_pool *pool, carom_chunk *first, carom_chunk *last, uint64_t count);
uint64_t carom_chunk_bytes(void);
/* How many chunks so many pairs fill. */
uint64_t carom_chunk_count(uint64_t pairs);
void carom_chunk_pool_release(carom_chunk_pool *pool, carom_memory *memory);

#endif
