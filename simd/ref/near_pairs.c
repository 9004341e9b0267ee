/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the test of simd/near_paths.h, pair by pair. */
#include "simd/near_paths.h"

#include "simd/check.h"
#include "simd/declare.h"

#define carom_near_pairs_twin CAROM_TWIN_OF(near_pairs)

static const float NO_SHIFT[3] = {0.0F, 0.0F, 0.0F};

uint32_t carom_near_pairs_twin(const carom_coarse_path *paths, const uint32_t *slot_a, const uint32_t *slot_b,
                               uint32_t count, carom_coarse_time time, uint32_t *near) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        near[kept] = n;
        kept += carom_near_paths(&paths[slot_a[n]], &paths[slot_b[n]], NO_SHIFT, &time) ? 1 : 0;
    }
    return kept;
}
