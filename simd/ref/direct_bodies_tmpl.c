/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: a record and a box for each body, and whether a number is not finite or a radius is negative. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_direct_bodies_twin CAROM_TWIN(direct_bodies)

bool carom_direct_bodies_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                              carom_record *records, float *const lo[3], float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end) && carom_check_sides(lo, hi));
    CAROM_ASSERT(CAROM_REAL_BITS == 32 || carom_check_point(centre));
    bool good = true;
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        records[n - begin] = body;
        good = good && isfinite(body.radius) && body.radius >= 0;
        for (int a = 0; a < 3; a++) {
            const interval box =
                swept_interval(body.prev[a], body.curr[a], body.radius, centre == NULL ? 0.0 : centre[a]);
            good = good && isfinite(body.prev[a]) && isfinite(body.curr[a]);
            lo[a][n - begin] = box.lo;
            hi[a][n - begin] = box.hi;
        }
    }
    return good;
}
