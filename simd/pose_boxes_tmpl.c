/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes of posed shapes, in vectors. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pose_lanes.h"
#include "simd/round_lanes.h"

#define carom_pose_boxes CAROM_KERNEL(pose_boxes)
#define carom_pose_boxes_twin CAROM_TWIN(pose_boxes)

static inline void box_lanes(carom_block_side *side, const double *reach, uint32_t n, carom_real *const corner[6],
                             uint64_t first) {
    const vd part = vd_set1(CAROM_POSE_BOX_ERROR);
    carom_pose_lanes pose;
    carom_lanes_pose(side, n, &pose);
    for (int d = 0; d < 3; d++) {
        const vd *row = pose.turn[d];
        vd extent = vd_add(vd_mul(vd_abs(row[0]), pose.extent[0]), vd_mul(vd_abs(row[1]), pose.extent[1]));
        extent = vd_add(vd_add(extent, vd_mul(vd_abs(row[2]), pose.extent[2])), pose.radius);
        const vd error = vd_mul(part, vd_add(vd_load(reach + n), vd_abs(pose.at[d])));
        carom_round_lanes_low(corner[d] + first + n, vd_sub(vd_sub(pose.at[d], extent), error));
        carom_round_lanes_high(corner[d + 3] + first + n, vd_add(vd_add(pose.at[d], extent), error));
    }
}

uint64_t carom_pose_boxes(carom_block_side *side, const double *reach, uint32_t begin, uint32_t end,
                          carom_real *const corner[6], uint64_t first) {
    uint64_t left = 0;
    uint32_t n = begin;
    for (; n + CAROM_PAIRS <= end; n += CAROM_PAIRS) {
        const uint64_t odd = vdm_bits(carom_lanes_are_valid(side, n)) ^ ((1U << CAROM_PAIRS) - 1);
        box_lanes(side, reach, n, corner, first);
        left |= odd << n;
    }
    return n == end ? left : left | carom_pose_boxes_twin(side, reach, n, end, corner, first);
}
