/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <stdbool.h>

#include "simd/declare.h"
#include "simd/ref/box.h"

uint32_t CAROM_TWIN(escapes)(const CAROM_REAL(carom_bodies) * bodies, uint64_t begin, uint64_t end,
                             const double centre[3], float *const lo[3], float *const hi[3], uint32_t *out) {
    uint32_t found = 0;
    for (uint64_t n = begin; n < end; n++) {
        carom_real radius = bodies->radius[n];
        bool kept = radius - radius == 0 && !(radius < 0);
        for (int a = 0; a < 3; a++) {
            carom_real prev = bodies->prev[a][n];
            carom_real curr = bodies->curr[a][n];
            interval box = swept_interval(prev, curr, radius, centre[a]);
            kept = kept && prev - prev == 0 && curr - curr == 0 && lo[a][n] <= box.lo && box.hi <= hi[a][n];
        }
        if (!kept) {
            out[found++] = (uint32_t)n;
        }
    }
    return found;
}
