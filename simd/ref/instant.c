/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twins: the arithmetic of simd/instant_pairs.h, pair by pair. */
#include "simd/instant_pairs.h"

#include "simd/declare.h"

#define carom_instant_row_twin CAROM_TWIN_OF(instant_row)
#define carom_instant_next_twin CAROM_TWIN_OF(instant_next)

static const float NO_SHIFT[3] = {0.0F, 0.0F, 0.0F};

uint32_t carom_instant_row_twin(const carom_coarse_path *paths, const carom_coarse_path *own, const uint32_t *slot,
                                uint32_t count, float time, const carom_instant_rows *rows) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (carom_near_at(own, &paths[slot[n]], NO_SHIFT, time)) {
            const carom_instant_pair pair = carom_instant_pair_of(own, &paths[slot[n]], time);
            carom_instant_put(rows, kept, &pair);
            rows->owner[kept++] = slot[n];
        }
    }
    return kept;
}

uint32_t carom_instant_next_twin(const carom_instant_rows *rows, uint32_t from, uint32_t count, const float turn[3],
                                 float speed) {
    uint32_t n = from;
    while (n < count && !carom_instant_closes(rows, n, turn, speed)) {
        n++;
    }
    return n;
}
