/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Margins of inner and outer lengths; simd/ref/box_columns_tmpl.c shows that they suffice. */
#ifndef CAROM_SIMD_REACH_H
#define CAROM_SIMD_REACH_H

#include <float.h>
#include <math.h>

#include "simd/isa.h"

#define CAROM_REACH_WIDER 0x1p-20F
#define CAROM_REACH_ROUNDING 0x1p-20F

/* What an outer length has at least. */
static inline float carom_reach_least(const double centre[3]) {
#if CAROM_REAL_BITS == 32
    (void)centre;
    return 0x1p-62F;
#else
    const double rounding = 0x1p-48 * (fabs(centre[0]) + fabs(centre[1]) + fabs(centre[2]));
    return (float)fmin(0x1p-62 + rounding, (double)FLT_MAX);
#endif
}

#endif
