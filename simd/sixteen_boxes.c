/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sixteen boxes against one, CAROM_LANES at a time. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_sixteen_boxes CAROM_KERNEL_OF(sixteen_boxes)

uint32_t carom_sixteen_boxes(const float *const lo[3], const float *const hi[3], const float low[3],
                             const float high[3]) {
    uint32_t met = 0;
    for (uint32_t n = 0; n < 16; n += CAROM_LANES) {
        vfm meets = vf_le(vf_load(lo[0] + n), vf_set1(high[0]));
        meets = vfm_and(meets, vf_le(vf_set1(low[0]), vf_load(hi[0] + n)));
        for (int a = 1; a < 3; a++) {
            meets = vfm_and(meets, vf_le(vf_load(lo[a] + n), vf_set1(high[a])));
            meets = vfm_and(meets, vf_le(vf_set1(low[a]), vf_load(hi[a] + n)));
        }
        met |= vfm_bits(meets) << n;
    }
    return met;
}
