/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The test of simd/near_paths.h, CAROM_LANES pairs at a time. */
#ifndef CAROM_SIMD_NEAR_LANES_H
#define CAROM_SIMD_NEAR_LANES_H

#include "simd/near_paths.h"
#include "simd/path_lanes.h"

/* Bits of the pairs that pass. `extent` is of both paths. */
static inline uint32_t carom_near_bits(const vf a[PATH_FIELDS], const vf b[PATH_FIELDS], vf extent,
                                       carom_coarse_time time) {
    const vf length = vf_set1(time.until - time.from);
    const vf from = vf_set1(time.from);
    const vf slack = vf_set1(CAROM_NEAR_SLACK);
    const vf zero = vf_set1(0.0F);
    const vf reach = vf_add(a[PATH_REACH], b[PATH_REACH]);
    const vf square = vf_mul(reach, reach);
    vf sum = zero;
    vf p[3];
    vf v[3];
    for (int d = 0; d < 3; d++) {
        v[d] = vf_sub(a[PATH_V + d], b[PATH_V + d]);
        p[d] = vf_add(vf_sub(a[PATH_X + d], b[PATH_X + d]), vf_mul(v[d], from));
        sum = vf_add(sum, vf_add(vf_abs(p[d]), vf_abs(v[d])));
    }
    const vf pp = vf_add(vf_add(vf_mul(p[0], p[0]), vf_mul(p[1], p[1])), vf_mul(p[2], p[2]));
    const vf pv = vf_add(vf_add(vf_mul(p[0], v[0]), vf_mul(p[1], v[1])), vf_mul(p[2], v[2]));
    const vf vv = vf_add(vf_add(vf_mul(v[0], v[0]), vf_mul(v[1], v[1])), vf_mul(v[2], v[2]));
    const vf moved = vf_mul(length, vv);
    const vf end = vf_add(pp, vf_mul(length, vf_add(vf_add(pv, pv), moved)));
    const vf limit = vf_add(square, vf_mul(slack, vf_add(pp, vf_mul(vf_mul(length, length), vv))));
    const vf most = vf_add(vf_mul(pv, pv), vf_mul(vf_mul(slack, pp), vv));
    const uint32_t apart = vfm_bits(vfm_and(vf_lt(limit, pp), vf_lt(limit, end)));
    const uint32_t turns = vfm_bits(vfm_and(vf_lt(pv, zero), vf_lt(vf_sub(zero, pv), moved)));
    const uint32_t beyond = vfm_bits(vf_lt(most, vf_mul(vf_sub(pp, square), vv)));
    const vf rounding = vf_mul(vf_mul(vf_set1(CAROM_NEAR_ROUNDING), extent), sum);
    const uint32_t part = vfm_bits(vf_lt(vf_add(rounding, vf_mul(vf_set1(time.spread), reach)), pv));
    return ~(part | (apart & ~(turns & ~beyond)));
}

#endif
