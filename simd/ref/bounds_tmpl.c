/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: on each axis lo = min(prev, curr) - r and hi = max(prev, curr) + r, rounded outward to floats. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_bounds_twin CAROM_TWIN(bounds)

void carom_bounds_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, float *const lo[3],
                       float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_sides(lo, hi));
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        for (int a = 0; a < 3; a++) {
            interval box = swept_interval(body.prev[a], body.curr[a], body.radius, 0.0);
            lo[a][n] = box.lo;
            hi[a][n] = box.hi;
        }
    }
}
