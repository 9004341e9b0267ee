/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes in lanes: one in all of them, or CAROM_LANES. */
#ifndef CAROM_SIMD_BOX_LANES_H
#define CAROM_SIMD_BOX_LANES_H

#include "simd/vec.h"

typedef struct box_sides {
    vf lo[3];
    vf hi[3];
} box_sides;

/* Of columns `lo` and `hi`, whatever their pointers are qualified with: entry n in all lanes; entries from n on. */
#define BOX_SIDES(value, lo, hi, n)                                                                                    \
    ((box_sides){{value((lo)[0], n), value((lo)[1], n), value((lo)[2], n)},                                            \
                 {value((hi)[0], n), value((hi)[1], n), value((hi)[2], n)}})
#define BOX_SIDES_OF_ONE(lo, hi, n) BOX_SIDES(box_side_of_one, lo, hi, n)
#define BOX_SIDES_LOAD(lo, hi, n) BOX_SIDES(box_side_load, lo, hi, n)

static inline vf box_side_of_one(const float *side, uint32_t n) {
    return vf_set1(side[n]);
}

static inline vf box_side_load(const float *side, uint32_t n) {
    return vf_load(side + n);
}

/* The greatest of six differences. A difference is 0 or less exactly if the comparison of its sides holds, also of
 * subnormal and infinite ones: low sides are never +infinity, and high ones never -infinity. NaN if all sides are. */
static inline vf box_gap(const box_sides *a, const box_sides *b) {
    vf gap = vf_max(vf_sub(b->lo[0], a->hi[0]), vf_sub(a->lo[0], b->hi[0]));
    for (int d = 1; d < 3; d++) {
        gap = vf_max(gap, vf_max(vf_sub(b->lo[d], a->hi[d]), vf_sub(a->lo[d], b->hi[d])));
    }
    return gap;
}

/* Lanes in which closed boxes overlap; none where all sides are NaN. Comparisons that go to mask registers take longer
 * than differences, so vectors of 512 bits do with one. */
static inline vfm box_overlaps(const box_sides *a, const box_sides *b) {
    if (CAROM_LANES == 16) {
        return vf_le(box_gap(a, b), vf_set1(0.0F));
    }
    vfm hit = vfm_and(vf_le(b->lo[0], a->hi[0]), vf_le(a->lo[0], b->hi[0]));
    for (int d = 1; d < 3; d++) {
        hit = vfm_and(hit, vfm_and(vf_le(b->lo[d], a->hi[d]), vf_le(a->lo[d], b->hi[d])));
    }
    return hit;
}

#endif
