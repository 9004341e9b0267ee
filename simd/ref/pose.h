/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One pose of a block, in scalar form. */
#ifndef CAROM_SIMD_REF_POSE_H
#define CAROM_SIMD_REF_POSE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "simd/pair_block.h"

/* Whether rotation and position are those of a valid body. */
static inline bool carom_ref_pose_is_valid(const carom_block_side *side, uint32_t n) {
    const double x = side->turn[0][n];
    const double y = side->turn[1][n];
    const double z = side->turn[2][n];
    const double w = side->turn[3][n];
    const double square = x * x + y * y + z * z + w * w;
    bool valid = square >= CAROM_TURN_SQUARE_LEAST && square <= CAROM_TURN_SQUARE_MOST;
    for (int d = 0; d < 3; d++) {
        valid = valid && fabs(side->at[d][n]) <= DBL_MAX;
    }
    return valid;
}

#endif
