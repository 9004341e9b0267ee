/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Answers of a block of pairs in the caller's precision, in vectors. Pairs whose bracket is infinite are left to the
 * twin. */
#include <float.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pose_lanes.h"
#include "simd/round_lanes.h"

#define carom_round_gaps CAROM_KERNEL(round_gaps)
#define carom_round_gaps_twin CAROM_TWIN(round_gaps)

static inline void round_points(carom_pair_block *block, uint32_t n, vdm hidden, carom_gap_columns *columns) {
    const vd zero = vd_set1(0.0);
    for (int d = 0; d < 3; d++) {
        const vd origin = vd_load(block->origin[d] + n);
        const vd point_i = vd_add(vd_load(block->point_i[d] + n), origin);
        const vd point_k = vd_add(vd_load(block->point_k[d] + n), origin);
        carom_round_lanes_near(columns->normal[d] + n, vd_select(hidden, zero, vd_load(block->normal[d] + n)));
        carom_round_lanes_near(columns->point_i[d] + n, vd_select(hidden, zero, point_i));
        carom_round_lanes_near(columns->point_k[d] + n, vd_select(hidden, zero, point_k));
    }
}

/* Rounds a vector of pairs; returns those whose bracket is infinite. */
static inline uint32_t round_lanes(carom_pair_block *block, uint32_t n, uint32_t live, const carom_gap_limits *limits,
                                   carom_gap_columns *columns) {
    const vd half = vd_set1(0.5);
    const vd margin = vd_set1(limits->margin);
    const vd lower = vd_load(block->lower + n);
    const vd upper = vd_load(block->upper + n);
    const vd middle = vd_add(vd_mul(half, lower), vd_mul(half, upper));
    const vd distance = vd_min(vd_max(middle, lower), upper);
    const vd width = vd_mul(vd_set1(limits->tolerance), vd_max(vd_load(block->reach + n), vd_abs(distance)));
    const vdm finite = vdm_and(vd_le(vd_abs(lower), vd_set1(DBL_MAX)), vd_le(vd_abs(upper), vd_set1(DBL_MAX)));
    const vdm apart = vd_lt(margin, lower);
    const vdm touching = vdm_and(vd_le(lower, margin), vd_le(upper, margin));
    const uint32_t usual = vdm_bits(finite) & live;
    columns->apart |= (uint64_t)(vdm_bits(apart) & usual) << n;
    columns->touching |= (uint64_t)(vdm_bits(touching) & usual) << n;
    columns->wide |= (uint64_t)(vdm_bits(vd_lt(width, vd_sub(upper, lower))) & usual) << n;
    carom_round_lanes_near(columns->distance + n, distance);
    carom_round_lanes_down(columns->lower + n, lower);
    carom_round_lanes_up(columns->upper + n, upper);
    if (limits->apart || limits->touching) {
        const uint32_t hidden = (limits->apart ? 0 : vdm_bits(apart)) | (limits->touching ? 0 : ~vdm_bits(apart));
        round_points(block, n, vdm_from_bits(hidden & ((1U << CAROM_PAIRS) - 1)), columns);
    }
    return live & ~usual;
}

void carom_round_gaps(carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_limits *limits,
                      carom_gap_columns *columns) {
    for (uint32_t n = begin; n < end; n += CAROM_PAIRS) {
        const uint32_t left = end - n < CAROM_PAIRS ? end - n : CAROM_PAIRS;
        uint32_t odd = round_lanes(block, n, (1U << left) - 1, limits, columns);
        for (; odd != 0; odd &= odd - 1) {
            const uint32_t at = n + (uint32_t)__builtin_ctz(odd);
            carom_round_gaps_twin(block, at, at + 1, limits, columns);
        }
    }
}
