/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Consecutive records come in; their boxes and lengths go out, as columns. Bodies of neighbouring cells are tested
 * against each other sixteen at a time, and each is read for many cells. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/reach.h"
#include "simd/real.h"

#define carom_box_columns_make CAROM_KERNEL(box_columns)
#define carom_box_columns_twin CAROM_TWIN(box_columns)

/* CAROM_LANES bodies. */
static inline void put_columns(const vr field[7], const double centre[3], float least, uint64_t n,
                               const carom_box_columns *columns) {
    const vf diameter = vf_mul(vf_set1(2.0F), vr_floats(field[3]));
    vf square = vf_set1(0.0F);
    vf sides = vf_set1(0.0F);
    for (int a = 0; a < 3; a++) {
        vf lo;
        vf hi;
        vr_box(field[a], field[4 + a], field[3], centre[a], &lo, &hi);
        const vf way = vf_sub(vf_sub(hi, lo), diameter);
        square = vf_add(square, vf_mul(way, way));
        sides = vf_add(sides, vf_max(vf_abs(lo), vf_abs(hi)));
        vf_store(columns->lo[a] + n, lo);
        vf_store(columns->hi[a] + n, hi);
    }
    const vf off = vf_add(vf_mul(sides, vf_set1(CAROM_REACH_ROUNDING)), vf_set1(least));
    const vf inner = vf_sub(vf_mul(diameter, vf_set1(1.0F - CAROM_REACH_WIDER)), off);
    const vf length = vf_mul(vf_add(diameter, vf_sqrt(square)), vf_set1(1.0F + CAROM_REACH_WIDER));
    vf_store(columns->outer + n, vf_min(vf_add(length, off), vf_set1(INFINITY))); /* NaN becomes infinite */
    vf_store(columns->inner + n, vf_select(vf_lt(vf_set1(0.0F), inner), inner, vf_set1(NAN)));
}

void carom_box_columns_make(const carom_record *records, uint64_t begin, uint64_t end, const double centre[3],
                            const carom_box_columns *columns) {
    CAROM_ASSERT(carom_check_records(records, begin, end));
    CAROM_ASSERT(carom_check_point(centre));
    const float least = carom_reach_least(centre);
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        vr field[7];
        vr_rows(records + n, carom_lane_numbers, field);
        put_columns(field, centre, least, n, columns);
    }
    carom_box_columns_twin(records, n, end, centre, columns);
}
