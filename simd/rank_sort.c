/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Counts for each key how many others are less, CAROM_LANES keys at a time, against one other after the other: no
 * branch depends on the keys. If all keys differ the counts are 0, 1, 2 and so on in some order, and their sum is the
 * greatest that it can be. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_rank_sort CAROM_KERNEL_OF(rank_sort)

/* Vectors of keys that are counted for at a time. */
enum { VECTORS = 4 };

/* Ranks of so many vectors of keys. */
static inline __attribute__((always_inline)) void rank_vectors(const uint32_t *key, uint32_t count, const uint32_t *own,
                                                               uint32_t vectors, uint32_t *rank) {
    vi k[VECTORS];
    vi less[VECTORS];
    for (uint32_t v = 0; v < vectors; v++) {
        k[v] = vi_load(own + v * CAROM_LANES);
        less[v] = vi_set1(0);
    }
    for (uint32_t n = 0; n < count; n++) {
        const vi other = vi_set1((int32_t)key[n]);
        for (uint32_t v = 0; v < vectors; v++) {
            less[v] = vi_add_less(less[v], other, k[v]);
        }
    }
    for (uint32_t v = 0; v < vectors; v++) {
        vi_store(rank + v * CAROM_LANES, less[v]);
    }
}

static void rank_all(const uint32_t *key, uint32_t count, uint32_t *rank) {
    uint32_t n = 0;
    for (; n + (VECTORS - 1) * CAROM_LANES < count; n += VECTORS * CAROM_LANES) {
        rank_vectors(key, count, key + n, VECTORS, rank + n);
    }
    for (; n + CAROM_LANES < count; n += 2 * CAROM_LANES) {
        rank_vectors(key, count, key + n, 2, rank + n);
    }
    if (n < count) {
        rank_vectors(key, count, key + n, 1, rank + n);
    }
}

bool carom_rank_sort(uint32_t *key, uint64_t *value, uint32_t count) {
    enum { ROOM = CAROM_RANK_MOST + VECTORS * CAROM_LANES };
    uint32_t k[ROOM];
    uint64_t v[CAROM_RANK_MOST];
    uint32_t rank[ROOM];
    uint32_t sum = 0;
    CAROM_ASSERT(count <= CAROM_RANK_MOST);
    memcpy(k, key, count * sizeof *k);
    memcpy(v, value, count * sizeof *v);
    for (uint32_t n = 0; n < VECTORS; n++) {
        vi_store(k + count + n * CAROM_LANES, vi_set1(0));
    }
    rank_all(k, count, rank);
    for (uint32_t n = 0; n < count; n++) {
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
