/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A log of the pairs of bodies that touch, whatever the call stores of them. In: pairs, from all workers at once. Out:
 * for each worker a chain of chunks. The chunks outlive the call, so the next call allocates none. */
#ifndef CAROM_STORE_PAIR_LOG_H
#define CAROM_STORE_PAIR_LOG_H

#include "kernel/store/chunk_pool.h"

typedef struct carom_pair_log {
    carom_chunk_pool *pool;  /* of the log alone */
    carom_memory *memory;    /* what its chunks come from */
    _Atomic uint32_t failed; /* 1: memory gave out, and pairs are missing */
} carom_pair_log;

/* Forgets all pairs; the chunks stay. Not while workers add any. */
void carom_pair_log_restart(carom_pair_log *log);

/* A worker's last chunk with room for a pair or more: *last, or a new one, which then comes first in the chain and is
 * *last. NULL when memory gives out. */
carom_chunk *carom_pair_log_chunk(carom_pair_log *log, carom_chunk **last);

/* Upper bound of the bytes of a log of so many pairs from so many workers. */
uint64_t carom_pair_log_bytes(uint64_t workers, uint64_t pairs);

#endif
