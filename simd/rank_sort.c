/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Counts for each key, CAROM_LANES others at a time, how many are less: no branch depends on the keys. If all keys
 * differ the counts are 0, 1, 2 and so on in some order, and their sum is the greatest that it can be. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_rank_sort CAROM_KERNEL_OF(rank_sort)

bool carom_rank_sort(uint32_t *key, uint64_t *value, uint32_t count) {
    uint32_t k[CAROM_RANK_MOST + CAROM_LANES];
    uint64_t v[CAROM_RANK_MOST];
    uint32_t rank[CAROM_RANK_MOST];
    uint32_t sum = 0;
    CAROM_ASSERT(count <= CAROM_RANK_MOST);
    memcpy(k, key, count * sizeof *k);
    memcpy(v, value, count * sizeof *v);
    vi_store(k + count, vi_set1(-1)); /* less than none */
    for (uint32_t n = 0; n < count; n++) {
        const vi own = vi_set1((int32_t)k[n]);
        rank[n] = 0;
        for (uint32_t other = 0; other < count; other += CAROM_LANES) {
            rank[n] += (uint32_t)__builtin_popcount(vfm_bits(vi_less(vi_load(k + other), own)));
        }
        sum += rank[n];
    }
    if (count > 0 && sum != count * (count - 1) / 2) {
        return false;
    }
    for (uint32_t n = 0; n < count; n++) {
        key[rank[n]] = k[n];
        value[rank[n]] = v[n];
    }
    return true;
}
