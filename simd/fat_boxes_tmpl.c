/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept boxes of consecutive bodies, relative to a centre: columns of bodies come in, columns of sides go out. From
 * enlarged bodies these are the fat boxes that the coherent engine compares the boxes of later steps with. They round
 * as the boxes of the partition do, so that "inside" means the same for both. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"

#define carom_fat_boxes CAROM_KERNEL(fat_boxes)
#define carom_fat_boxes_twin CAROM_TWIN(fat_boxes)

void carom_fat_boxes(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                     float *const lo[3], float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_sides(lo, hi));
    CAROM_ASSERT(carom_check_point(centre));
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        vr radius = vr_load(bodies->radius + n);
        for (int a = 0; a < 3; a++) {
            vf low;
            vf high;
            vr_box(vr_load(bodies->prev[a] + n), vr_load(bodies->curr[a] + n), radius, centre[a], &low, &high);
            vf_store(lo[a] + n, low);
            vf_store(hi[a] + n, high);
        }
    }
    carom_fat_boxes_twin(bodies, n, end, centre, lo, hi);
}
