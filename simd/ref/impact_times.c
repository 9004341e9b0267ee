/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: pair by pair, from the later start on. */
#include "simd/declare.h"
#include "simd/hull_paths.h"
#include "simd/impact_time.h"

#define carom_impact_times_twin CAROM_TWIN_OF(impact_times)

static double time_of(const double *a, const double *b, double reach) {
    const double from = a[CAROM_MOTION_START] > b[CAROM_MOTION_START] ? a[CAROM_MOTION_START] : b[CAROM_MOTION_START];
    double p[3];
    double v[3];
    double sizes[3];
    for (int d = 0; d < 3; d++) {
        const double at_a = a[CAROM_MOTION_X + d] + a[CAROM_MOTION_V + d] * (from - a[CAROM_MOTION_START]);
        const double at_b = b[CAROM_MOTION_X + d] + b[CAROM_MOTION_V + d] * (from - b[CAROM_MOTION_START]);
        p[d] = at_a - at_b;
        v[d] = a[CAROM_MOTION_V + d] - b[CAROM_MOTION_V + d];
        sizes[d] = fabs(a[CAROM_MOTION_V + d]) + fabs(b[CAROM_MOTION_V + d]) + fabs(p[d]);
    }
    return carom_impact_time_is_small(p, v, reach) ? NAN : from + carom_impact_time_plain(p, v, reach, sizes);
}

void carom_impact_times_twin(const double *motion_a, const uint32_t *at_a, const double *motion_b, const uint32_t *at_b,
                             const double *reach, uint32_t count, double *t) {
    for (uint32_t n = 0; n < count; n++) {
        t[n] = time_of(motion_a + 8 * (uint64_t)at_a[n], motion_b + 8 * (uint64_t)at_b[n], reach[n]);
    }
}
