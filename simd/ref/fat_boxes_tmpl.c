/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the boxes of bounds_tmpl.c, of positions relative to a centre. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_fat_boxes_twin CAROM_TWIN(fat_boxes)

void carom_fat_boxes_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                          float *const lo[3], float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_sides(lo, hi));
    CAROM_ASSERT(carom_check_point(centre));
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        for (int a = 0; a < 3; a++) {
            interval box = swept_interval(body.prev[a], body.curr[a], body.radius, centre[a]);
            lo[a][n] = box.lo;
            hi[a][n] = box.hi;
        }
    }
}
