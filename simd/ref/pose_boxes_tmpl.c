/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes of posed shapes, one by one. */
#include <float.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/extent.h"
#include "simd/ref/pose.h"
#include "simd/ref/round.h"

#define carom_pose_boxes_twin CAROM_TWIN(pose_boxes)

uint64_t carom_pose_boxes_twin(carom_block_side *side, const double *reach, uint32_t begin, uint32_t end,
                               carom_real *const corner[6], uint64_t first) {
    uint64_t left = 0;
    for (uint32_t n = begin; n < end; n++) {
        const double q[4] = {side->turn[0][n], side->turn[1][n], side->turn[2][n], side->turn[3][n]};
        double turn[3][3];
        carom_extent extent;
        if (!carom_extent_is_known(side->shape[n]) || !carom_ref_pose_is_valid(side, n)) {
            left |= (uint64_t)1 << n;
            continue;
        }
        carom_pose_turn(q, turn);
        carom_extent_set(side, n, turn, &extent);
        for (int d = 0; d < 3; d++) {
            const double at = side->at[d][n];
            const double error = CAROM_POSE_BOX_ERROR * (reach[n] + fabs(at));
            corner[d][first + n] = carom_round_low(at - extent.against[d] - error);
            corner[d + 3][first + n] = carom_round_high(at + extent.along[d] + error);
        }
    }
    return left;
}
