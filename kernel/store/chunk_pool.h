/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Chunks of pairs of slots: what a task has found, until its rows can be written.
 *
 * With several workers a task does not know how many contact rows come before its own. So it stores index pairs in
 * chunks, of shapes with what is known of each pair. Once all earlier tasks are finished its row offset is known, and its rows are computed in place. All workers
 * take chunks from one pool, which outlives the call: the next call allocates none. */
#ifndef CAROM_STORE_CHUNK_POOL_H
#define CAROM_STORE_CHUNK_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/sys/memory.h"

/* Pairs that a chunk holds: 8 KiB, so that a task of few pairs wastes little. Most tasks of small scenes have some
 * hundreds. Answers of shapes take another 40 or 72 KiB. */
enum { CAROM_CHUNK_PAIRS = 1024 };

/* A chunk's head. Its two columns follow it in the same block. */
typedef struct carom_chunk {
    struct carom_chunk *next;      /* the next of the same task, or the next spare one; NULL at the end */
    struct carom_chunk *pool_next; /* the next of all chunks of the pool */
    uint32_t count;                /* pairs filled, at most CAROM_CHUNK_PAIRS */
    uint32_t *slot_i;              /* slots of both bodies: CAROM_CHUNK_PAIRS each, from a cache line on */
    uint32_t *slot_k;
    void *answer;          /* what is known of each pair, for calls that keep it; a block of its own, or NULL */
    uint64_t answer_bytes; /* of that block */
} carom_chunk;

/* Zero-initialise before the first use. */
typedef struct carom_chunk_pool {
    atomic_flag busy;   /* the spin lock of the four fields below */
    carom_chunk *all;   /* every chunk of the pool, by pool_next */
    carom_chunk *spare; /* chunks not in use, by next */
    uint64_t held;      /* number of all chunks */
    uint64_t taken;     /* number of chunks in use */
} carom_chunk_pool;

/* Makes all chunks spare again, also those that a failed call did not give back. Not while others use the pool. */
void carom_chunk_pool_restart(carom_chunk_pool *pool);

/* Makes the pool hold at least `count` chunks, or as many as memory allows; those that are taken next have room for
 * `answer_bytes`. Not while others use it. */
void carom_chunk_pool_reserve(carom_chunk_pool *pool, carom_memory *memory, uint64_t count, uint64_t answer_bytes);

/* Gives a chunk in use room for `bytes` of answers. False when memory gives out. */
bool carom_chunk_reserve_answers(carom_chunk *chunk, carom_memory *memory, uint64_t bytes);

/* Takes an empty chunk, from any thread. Returns NULL when memory gives out. */
carom_chunk *carom_chunk_take(carom_chunk_pool *pool, carom_memory *memory);

/* Gives `count` chunks back, linked by `next` from `first` to `last`, which is the last of its list. From any thread.
 */
void carom_chunk_give(carom_chunk_pool *pool, carom_chunk *first, carom_chunk *last, uint64_t count);

/* Bytes of one chunk without answers. */
uint64_t carom_chunk_bytes(void);

/* How many chunks so many pairs fill. */
uint64_t carom_chunk_count(uint64_t pairs);

/* What is wrong with a pool that nobody uses at the moment; NULL if nothing is. */
const char *carom_chunk_pool_validate(const carom_chunk_pool *pool);

/* Gives the memory of all chunks back. */
void carom_chunk_pool_release(carom_chunk_pool *pool, carom_memory *memory);

#endif
