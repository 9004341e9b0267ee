/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept boxes of consecutive bodies, in their own coordinates: columns of bodies come in, columns of sides go out. The
 * tail that fills no vector goes to the twin, here and in every kernel, so that no lane is masked. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"

#define carom_bounds CAROM_KERNEL(bounds)
#define carom_bounds_twin CAROM_TWIN(bounds)

void carom_bounds(const carom_bodies *bodies, uint64_t begin, uint64_t end, float *const lo[3], float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_sides(lo, hi));
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        vr radius = vr_load(bodies->radius + n);
        for (int a = 0; a < 3; a++) {
            vf low;
            vf high;
            vr_box(vr_load(bodies->prev[a] + n), vr_load(bodies->curr[a] + n), radius, 0.0, &low, &high);
            vf_store(lo[a] + n, low);
            vf_store(hi[a] + n, high);
        }
    }
    carom_bounds_twin(bodies, n, end, lo, hi);
}
