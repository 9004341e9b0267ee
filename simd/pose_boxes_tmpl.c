/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes of posed shapes, in vectors. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/extent_lanes.h"
#include "simd/pose_lanes.h"
#include "simd/round_lanes.h"

#define carom_pose_boxes CAROM_KERNEL(pose_boxes)
#define carom_pose_boxes_twin CAROM_TWIN(pose_boxes)

static inline __attribute__((always_inline)) void box_lanes(carom_block_side *side, const double *reach, uint32_t n,
                                                            carom_kind_lanes kinds, carom_real *const corner[6],
                                                            uint64_t first) {
    const vd part = vd_set1(CAROM_POSE_BOX_ERROR);
    carom_pose_lanes pose;
    carom_extent_lanes extent;
    carom_lanes_pose(side, n, &pose);
    carom_extent_lanes_set(side, n, kinds, pose.turn, &extent);
    for (int d = 0; d < 3; d++) {
        const vd error = vd_mul(part, vd_add(vd_load(reach + n), vd_abs(pose.at[d])));
        carom_round_lanes_low(corner[d] + first + n, vd_sub(vd_sub(pose.at[d], extent.against[d]), error));
        carom_round_lanes_high(corner[d + 3] + first + n, vd_add(vd_add(pose.at[d], extent.along[d]), error));
    }
}

/* Apart, because most scenes have none of these. */
static __attribute__((noinline)) void box_any(carom_block_side *side, const double *reach, uint32_t n,
                                              carom_kind_lanes kinds, carom_real *const corner[6], uint64_t first) {
    box_lanes(side, reach, n, kinds, corner, first);
}

uint64_t carom_pose_boxes(carom_block_side *side, const double *reach, uint32_t begin, uint32_t end,
                          carom_real *const corner[6], uint64_t first) {
    static const carom_kind_lanes cornered = {0};
    uint64_t left = 0;
    uint32_t n = begin;
    for (; n + CAROM_PAIRS <= end; n += CAROM_PAIRS) {
        const carom_kind_lanes kinds = carom_kind_lanes_of(side, n);
        const uint32_t odd = vdm_bits(carom_lanes_are_valid(side, n)) ^ ((1U << CAROM_PAIRS) - 1);
        if (carom_kind_lanes_cornered(kinds)) {
            box_lanes(side, reach, n, cornered, corner, first);
        } else {
            box_any(side, reach, n, kinds, corner, first);
        }
        left |= (uint64_t)(odd | carom_kind_lanes_other(kinds)) << n;
    }
    return n == end ? left : left | carom_pose_boxes_twin(side, reach, n, end, corner, first);
}
