/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Parallel least-significant-digit radix sort of (key, payload), stable, the same result for any number of
 * workers. Each pass: per-worker digit histograms over contiguous blocks, one exclusive prefix sum over
 * (digit, worker), a scatter. Passes whose digit is the same for all keys are skipped. O(passes n). */
#ifndef CAROM_SORT_RADIX_SORT_H
#define CAROM_SORT_RADIX_SORT_H

#include <stdint.h>

#include "carom/status.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

typedef struct carom_radix_sort {
    carom_buffer histogram;
} carom_radix_sort;

/* Sorts `count` 32-bit keys with 32-bit payloads, ascending by the low `key_bits` bits (1 to 32; higher bits must be
 * zero). keys and payload are permuted together; spare_keys and spare_payload are workspace of the same
 * length, not overlapping. Errors: MEMORY (histograms), the input then unchanged. */
carom_status carom_radix_sort_u32(carom_radix_sort *sort, const carom_team *team, carom_memory *memory,
                                  const carom_simd *simd, uint64_t count, uint32_t key_bits, uint32_t *keys,
                                  uint32_t *payload, uint32_t *spare_keys, uint32_t *spare_payload);

/* The same with 64-bit keys (key_bits 1 to 64). */
carom_status carom_radix_sort_u64(carom_radix_sort *sort, const carom_team *team, carom_memory *memory,
                                  const carom_simd *simd, uint64_t count, uint32_t key_bits, uint64_t *keys,
                                  uint32_t *payload, uint64_t *spare_keys, uint32_t *spare_payload);

/* Bytes of the histograms: the most a sort takes besides the caller's arrays. */
uint64_t carom_radix_sort_bytes(const carom_team *team);

void carom_radix_sort_release(carom_radix_sort *sort, carom_memory *memory);

#endif
