/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The partition: assigns every body to its cell and moves it there.
 *
 * In: the bodies in the caller's order and a plan. Out: records sorted by (code, body), where each code begins, and the
 * slot of each body. A record holds all of a body, in half a cache line (f32) or a whole one (f64). A slot is a
 * record's number.
 *
 * It is one parallel pass of a most-significant-digit radix sort with the code as the digit. Each worker counts the
 * codes of its contiguous range of bodies; one prefix sum over (code, worker) turns the counts into positions; each
 * worker moves its bodies there. So the order does not depend on the number of workers.
 *
 * Each body is moved once, and as a whole: cells that gathered their bodies from seven arrays would wait for memory
 * seven times a body. */
#ifndef CAROM_BROAD_PARTITION_H
#define CAROM_BROAD_PARTITION_H

#include <stdint.h>

#include "kernel/broad/plan.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"

/* Bytes of all records above which they are written past the cache: they would evict what the pass still reads. */
enum { CAROM_PAST_CACHE = 2 << 20 };

/* Arrays that the caller makes large enough. */
typedef struct carom_partition_workspace {
    uint32_t *code;  /* one for each body and CAROM_SIMD_PAD more: its code, at the end its slot */
    uint32_t *next;  /* carom_partition_next_count: a worker's number of bodies of each code, then its next position */
    uint32_t *start; /* code_count + 1: filled with the first record of each code, at the end the number of records */
} carom_partition_workspace;

/* Entries of workspace->next for one worker: whole cache lines, so that no two workers write to the same one. */
static inline uint64_t carom_partition_next_stride(const carom_plan *plan) {
    const uint64_t line = CAROM_CACHE_LINE / sizeof(uint32_t);
    return (plan->code_count + line - 1) / line * line;
}

/* The same for all workers. */
static inline uint64_t carom_partition_next_count(const carom_team *team, const carom_plan *plan) {
    return team->workers * carom_partition_next_stride(plan);
}

#endif
