/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The map from a coordinate to a column or a bin, for the scalar twins. */
#ifndef CAROM_SIMD_REF_PLACE_H
#define CAROM_SIMD_REF_PLACE_H

#include <stdint.h>

/* trunc(clamp((x - origin) scale, 0, last)) */
static inline float place(float x, float origin, float scale, float last) {
    float at = (x - origin) * scale;
    at = at > 0.0F ? at : 0.0F;
    at = at < last ? at : last;
    return (float)(int32_t)at;
}

#endif
