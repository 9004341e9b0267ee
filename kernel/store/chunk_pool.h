/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Chunks of pairs. With several workers a task does not know how many contact rows come before its own, so it keeps
 * pairs of slots in chunks until it does. All workers share one pool, which calls reuse. */
#ifndef CAROM_STORE_CHUNK_POOL_H
#define CAROM_STORE_CHUNK_POOL_H

#include <stdatomic.h>
#include <stdint.h>

#include "kernel/sys/memory.h"

/* Few enough that a task of few pairs wastes little: most tasks of small scenes have some hundreds. */
enum { CAROM_CHUNK_PAIRS = 1024 };

typedef struct carom_chunk {
    struct carom_chunk *next;      /* of the same task; or the next spare one */
    struct carom_chunk *pool_next; /* of all chunks */
    uint32_t count;                /* pairs filled, at most CAROM_CHUNK_PAIRS */
    uint32_t *slot_i;
    uint32_t *slot_k;
} carom_chunk;

/* Zero-initialise before the first use. */
typedef struct carom_chunk_pool {
    atomic_flag busy;   /* a spin lock, held for some instructions once a chunk */
    carom_chunk *all;   /* every chunk of the pool */
    carom_chunk *spare; /* those not in use */
    uint64_t held;      /* how many there are */
    uint64_t taken;     /* how many are in use */
} carom_chunk_pool;

/* Makes all chunks spare again, whatever a failed call has left. */
void carom_chunk_pool_restart(carom_chunk_pool *pool);

/* Makes the pool hold at least `count` chunks, or as many as memory allows. Not while others use it. */
void carom_chunk_pool_reserve(carom_chunk_pool *pool, carom_memory *memory, uint64_t count);

/* Takes an empty chunk, from any thread. Returns NULL when memory gives out. */
carom_chunk *carom_chunk_take(carom_chunk_pool *pool, carom_memory *memory);

/* Returns `count` chunks, linked by `next` from `first` to `last`, to the pool. From any thread. */
void carom_chunk_give(carom_chunk_pool *pool, carom_chunk *first, carom_chunk *last, uint64_t count);

/* Bytes of one chunk, and how many chunks so many pairs fill. */
uint64_t carom_chunk_bytes(void);
uint64_t carom_chunk_count(uint64_t pairs);

void carom_chunk_pool_release(carom_chunk_pool *pool, carom_memory *memory);

#endif
