/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Parallel least-significant-digit radix sort of keys with payloads.
 *
 * In: keys and payloads. Out: both by ascending key. The sort is stable, so the result is the same for any number of
 * workers. Each pass sorts by one digit: each worker counts the digits of its contiguous range of keys, one exclusive
 * prefix sum over (digit, worker) turns the counts into positions, each worker writes its keys there. A pass in which
 * all keys have the same digit moves nothing. O(passes n). Short inputs are sorted by insertion. */
#ifndef CAROM_SORT_RADIX_SORT_H
#define CAROM_SORT_RADIX_SORT_H

#include <stdint.h>

#include "carom/status.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* What a context keeps between sorts. Zero-initialise before the first use. */
typedef struct carom_radix_sort {
    carom_buffer histogram; /* one digit table for each worker */
} carom_radix_sort;

/* Sorts `count` 32-bit keys with 32-bit payloads. Keys are below 2^key_bits, 1 to 32. The result is in keys and
 * payload; spare_keys and spare_payload are workspace of the same length, and no two of the four arrays overlap.
 * Errors: MEMORY (histograms), the input then unchanged; CANCELLED, the arrays then in between. */
carom_status carom_radix_sort_u32(carom_radix_sort *sort, const carom_team *team, carom_memory *memory,
                                  const carom_simd *simd, uint64_t count, uint32_t key_bits, uint32_t *keys,
                                  uint32_t *payload, uint32_t *spare_keys, uint32_t *spare_payload);

/* The same with 64-bit keys (key_bits 1 to 64). */
carom_status carom_radix_sort_u64(carom_radix_sort *sort, const carom_team *team, carom_memory *memory,
                                  const carom_simd *simd, uint64_t count, uint32_t key_bits, uint64_t *keys,
                                  uint32_t *payload, uint64_t *spare_keys, uint32_t *spare_payload);

/* Bytes of the histograms: the most a sort takes besides the caller's arrays. */
uint64_t carom_radix_sort_bytes(const carom_team *team);

/* Gives the histograms back. */
void carom_radix_sort_release(carom_radix_sort *sort, carom_memory *memory);

#endif
