/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: boxes n have a point in common with the box if lo <= high and low <= hi on every axis. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_sixteen_boxes_twin CAROM_TWIN_OF(sixteen_boxes)

uint32_t carom_sixteen_boxes_twin(const float *const lo[3], const float *const hi[3], const float low[3],
                                  const float high[3]) {
    uint32_t met = 0;
    for (uint32_t n = 0; n < 16; n++) {
        uint32_t meets = 1;
        for (int a = 0; a < 3; a++) {
            meets &= (uint32_t)(lo[a][n] <= high[a]) & (uint32_t)(low[a] <= hi[a][n]);
        }
        met |= meets << n;
    }
    return met;
}
