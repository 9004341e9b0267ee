/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin. Why squares of distances decide: on each axis let c = lo + hi, rounded, stand for twice the middle of the
 * body's way. The box contains the body, so its sides are off by e and f, both >= 0, and c is off by no more than the
 * greater of them and its own rounding. hi - lo is |curr - prev| + 2 radius + e + f.
 *
 * The body is never farther from the middle of its way than radius + |curr - prev| / 2: its outer length is at least
 * twice that and what c is off by. At half of the step its centre is at the middle, so two bodies touch then if their
 * middles are no farther apart than the sum of radii: its inner length is at most twice its radius, less what c is off
 * by.
 *
 *   off   = CAROM_REACH_ROUNDING (sum of the axes' greater |side|) + carom_reach_least
 *   outer = (2 radius + |hi - lo - 2 radius, on all axes|) (1 + CAROM_REACH_WIDER) + off
 *   inner = 2 radius (1 - CAROM_REACH_WIDER) - off, or NaN if that is not above 0
 *
 * Let u be 2^-24 and S the greater |side| of an axis.
 *
 *   CAROM_REACH_ROUNDING, 16 u. Of f32, of S: e or f 3 u, since a side is rounded and then moved by one float; rounding
 *   c 2 u; rounding hi - lo, the float of the radius and their difference 6 u. That is 11 u. Of f64 a side is off by
 *   2^-50 (|m| + radius + |centre|) more, where |m| is at most |centre| + S and radius at most S: 2^-49 |centre|, for
 *   which carom_reach_least has 2^-48 |centre|, and a share of S that is nothing beside u.
 *
 *   CAROM_REACH_WIDER, 16 u. Of a length: the root of three squares and its sum with 2 radius 3.5 u, the product and
 * the sum after them 2 u, the float of the radius u, and half of the 8 u of the squares that box_hits compares: 10.5 u.
 *
 *   carom_reach_least, at least 2^-62. Squares may underflow, which changes a length by less than 2^-70.
 *
 * Where something overflows, outer lengths or their squares are infinite, and no square is below that of an inner
 * length: nothing is decided. */
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/reach.h"
#include "simd/ref/box.h"

#define carom_box_columns_twin CAROM_TWIN(box_columns)

void carom_box_columns_twin(const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                            const carom_box_columns *columns) {
    CAROM_ASSERT(carom_check_records(records, begin, end));
    CAROM_ASSERT(carom_check_point(centre));
    const float least = carom_reach_least(centre);
    for (uint64_t n = begin; n < end; n++) {
        const float diameter = 2.0F * (float)records[n].radius;
        float square = 0.0F;
        float sides = 0.0F;
        for (int a = 0; a < 3; a++) {
            const interval box = swept_interval(records[n].prev[a], records[n].curr[a], records[n].radius, centre[a]);
            const float way = (box.hi - box.lo) - diameter;
            square = square + way * way;
            sides = sides + fmaxf(fabsf(box.lo), fabsf(box.hi));
            columns->lo[a][n] = box.lo;
            columns->hi[a][n] = box.hi;
        }
        const float off = sides * CAROM_REACH_ROUNDING + least;
        const float inner = diameter * (1.0F - CAROM_REACH_WIDER) - off;
        const float outer = (diameter + sqrtf(square)) * (1.0F + CAROM_REACH_WIDER) + off;
        columns->outer[n] = outer < INFINITY ? outer : INFINITY;
        columns->inner[n] = 0.0F < inner ? inner : NAN;
    }
}
