/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Files every body under its code: one parallel, stable most-significant-digit radix pass that moves each body once, as
 * a whole record. Per-worker histograms of contiguous blocks, one prefix sum over (code, worker), one move: the
 * order of the records is that of (code, body) for any number of workers. */
#ifndef CAROM_BROAD_PARTITION_H
#define CAROM_BROAD_PARTITION_H

#include <stdint.h>

#include "kernel/broad/plan.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"

/* Bytes of all records from which on those that are whole cache lines are written past the cache. */
enum { CAROM_PAST_CACHE = 2 << 20 };

/* Arrays of the partition, to be made large enough by the caller. */
typedef struct carom_partition_workspace {
    uint32_t *code;  /* a body: filled with its slot */
    uint32_t *next;  /* carom_partition_next_count */
    uint32_t *start; /* code_count + 1: filled */
} carom_partition_workspace;

/* Entries of space->next for one worker, a whole number of cache lines so that none is shared, and for all. */
static inline uint64_t carom_partition_next_stride(const carom_plan *plan) {
    const uint64_t line = CAROM_CACHE_LINE / sizeof(uint32_t);
    return (plan->code_count + line - 1) / line * line;
}

static inline uint64_t carom_partition_next_count(const carom_team *team, const carom_plan *plan) {
    return team->workers * carom_partition_next_stride(plan);
}

#endif
