/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the test of simd/near_paths.h, body by body. */
#include "simd/near_paths.h"

#include "simd/check.h"
#include "simd/declare.h"

#define carom_near_row_twin CAROM_TWIN_OF(near_row)

static const float NO_SHIFT[3] = {0.0F, 0.0F, 0.0F};

carom_near_counts carom_near_row_twin(const carom_coarse_path *paths, const carom_coarse_path *own,
                                      const uint32_t *slot, uint32_t count, carom_coarse_time time, uint32_t *near,
                                      uint32_t *grouped) {
    carom_near_counts kept = {0, 0};
    for (uint32_t n = 0; n < count; n++) {
        const carom_coarse_path *other = &paths[slot[n]];
        if (other->group == own->group) {
            continue;
        }
        if (carom_near_paths(own, other, NO_SHIFT, &time)) {
            near[kept.near++] = slot[n];
        }
        if (other->group != 0) {
            grouped[kept.grouped++] = slot[n];
        }
    }
    return kept;
}
