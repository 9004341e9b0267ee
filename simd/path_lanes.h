/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coarse paths as the vectors of a kernel have them: CAROM_LANES records of eight floats, field by field. */
#ifndef CAROM_SIMD_PATH_LANES_H
#define CAROM_SIMD_PATH_LANES_H

#include "simd/vec.h"

/* Fields of a path: x, reach, v and group. */
enum { PATH_X = 0, PATH_REACH = 3, PATH_V = 4, PATH_GROUP = 7, PATH_FIELDS = 8 };

static inline vf path_extent(const vf path[PATH_FIELDS], vf steps) {
    vf extent = path[PATH_REACH];
    for (int d = 0; d < 3; d++) {
        extent = vf_add(extent, vf_add(vf_abs(path[PATH_X + d]), vf_mul(steps, vf_abs(path[PATH_V + d]))));
    }
    return extent;
}

/* Bits of the lanes that hold pairs, where `count` are left. */
static inline uint32_t path_lanes(uint32_t count) {
    return count < CAROM_LANES ? (UINT32_C(1) << count) - 1 : (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
}

#endif
