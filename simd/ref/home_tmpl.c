/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: bodies as doubles, one by one, and whether each is finite, not too large and in the first cell. */
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"

#define carom_home_twin CAROM_TWIN(home)

static bool is_in_cell(const carom_home *home, const double prev[3]) {
    bool inside = true;
    for (uint32_t b = 0; b < home->dimensions; b++) {
        const double *dual = home->dual[b];
        const double at = dual[0] * prev[0] + dual[1] * prev[1] + dual[2] * prev[2];
        inside = inside && at >= 0.0 && at < 1.0;
    }
    return inside;
}

bool carom_home_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_home *home,
                     double *const field[7]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    bool all = true;
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        const double prev[3] = {(double)body.prev[0], (double)body.prev[1], (double)body.prev[2]};
        const double radius = (double)body.radius;
        for (int a = 0; a < 3; a++) {
            field[a][n] = prev[a];
            field[a + 3][n] = (double)body.curr[a];
            all = all && isfinite(body.prev[a]) && isfinite(body.curr[a]);
        }
        field[6][n] = radius;
        all = all && radius >= 0.0 && 2.0 * radius < home->diameter && is_in_cell(home, prev);
    }
    return all;
}
