/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept boxes of consecutive bodies relative to a centre: what the boxes of later frames are held against. */
#include "simd/declare.h"
#include "simd/real.h"

void CAROM_KERNEL(hulls)(const CAROM_REAL(carom_bodies) * bodies, uint64_t begin, uint64_t end, const double centre[3],
                         float *const lo[3], float *const hi[3]) {
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
    CAROM_TWIN(hulls)(bodies, n, end, centre, lo, hi);
}
