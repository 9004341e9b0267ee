/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What all tests of two shapes return. */
#ifndef CAROM_SIMD_GAP_H
#define CAROM_SIMD_GAP_H

#include <stdint.h>

/* A bracket: what the searches return. n is a unit vector from k to i. */
typedef struct carom_gap {
    double lower; /* lower <= s <= upper */
    double upper;
    double normal[3];
    double point_i[3]; /* in the frame of the posed shapes */
    double point_k[3];
    uint32_t iterations;
} carom_gap;

#endif
