/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: each entry's rank is how many keys are less. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_rank_sort_twin CAROM_TWIN_OF(rank_sort)

bool carom_rank_sort_twin(uint32_t *key, uint64_t *value, uint32_t count) {
    uint32_t k[CAROM_RANK_MOST];
    uint64_t v[CAROM_RANK_MOST];
    uint32_t sum = 0;
    CAROM_ASSERT(count <= CAROM_RANK_MOST);
    memcpy(k, key, count * sizeof *k);
    memcpy(v, value, count * sizeof *v);
    uint32_t rank[CAROM_RANK_MOST] = {0};
    for (uint32_t n = 0; n < count; n++) {
        for (uint32_t other = 0; other < count; other++) {
            rank[n] += k[other] < k[n];
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
