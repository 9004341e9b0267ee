/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: boxes i < k are a pair if lo_k <= hi_i and lo_i <= hi_k on every axis. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_direct_pairs_twin CAROM_TWIN_OF(direct_pairs)

static uint32_t overlap(const float *const lo[3], const float *const hi[3], uint32_t i, uint32_t k) {
    uint32_t hit = 1;
    for (int a = 0; a < 3; a++) {
        hit &= lo[a][k] <= hi[a][i];
        hit &= lo[a][i] <= hi[a][k];
    }
    return hit;
}

uint32_t carom_direct_pairs_twin(const float *const lo[3], const float *const hi[3], carom_direct_rows *rows,
                                 uint32_t *slot_i, uint32_t *slot_k, uint32_t capacity) {
    CAROM_ASSERT(carom_check_direct_rows(rows, capacity));
    uint32_t hits = 0;
    uint32_t i = rows->next;
    for (; i < rows->end && hits + (rows->end - i) + CAROM_SIMD_PAD <= capacity; i++) {
        for (uint32_t k = i + 1; k < rows->end; k++) {
            /* Written in any case, kept if the boxes overlap. */
            slot_i[hits] = i;
            slot_k[hits] = k;
            hits += overlap(lo, hi, i, k);
        }
    }
    rows->next = i;
    return hits;
}
