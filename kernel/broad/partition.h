/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Files every body under its code: one parallel, stable most-significant-digit radix pass that moves each body once, as
 * a whole record. Per-worker histograms of contiguous blocks, one prefix sum over (code, worker), one move: the
 * order of the records is that of (code, body) for any number of workers. */
#ifndef CAROM_BROAD_PARTITION_H
#define CAROM_BROAD_PARTITION_H

#include <stdint.h>

#include "carom/bodies.h"
#include "kernel/broad/plan.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* Bytes of all records from which on those that are whole cache lines are written past the cache. */
enum { CAROM_PAST_CACHE = 2 << 20 };

/* Arrays of the partition, to be made large enough by the caller. */
typedef struct carom_partition_space {
    uint32_t *code;  /* a body */
    uint32_t *next;  /* workers x code_count */
    uint32_t *start; /* code_count + 1: filled */
} carom_partition_space;

void carom_partition_f32(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                         const carom_bodies_f32 *bodies, const carom_partition_space *space, carom_record_f32 *records);
void carom_partition_f64(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                         const carom_bodies_f64 *bodies, const carom_partition_space *space, carom_record_f64 *records);

#endif
