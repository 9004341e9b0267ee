/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: a body counts as wider than a limit if the widest side hi - lo of its swept box is. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_census_twin CAROM_TWIN(census)

static float greater(float a, float b) {
    return a > b ? a : b;
}

void carom_census_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                       carom_census *census) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_point(centre));
    CAROM_ASSERT(carom_check_ascending(census->limit, CAROM_CENSUS_LIMITS));
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        float widest = 0.0F;
        for (int a = 0; a < 3; a++) {
            interval box = swept_interval(body.prev[a], body.curr[a], body.radius, centre[a]);
            widest = greater(box.hi - box.lo, widest);
        }
        for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
            census->wider[l] += widest > census->limit[l];
        }
    }
}
