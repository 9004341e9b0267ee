/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What all tests of two shapes return. */
#ifndef CAROM_SIMD_GAP_H
#define CAROM_SIMD_GAP_H

#include <math.h>
#include <stdint.h>

#include "simd/compare.h"

/* A bracket: what the searches return. n is a unit vector from k to i. */
typedef struct carom_gap {
    double lower; /* lower <= s <= upper */
    double upper;
    double normal[3];
    double point_i[3]; /* in the frame of the posed shapes */
    double point_k[3];
    uint32_t iterations;
    uint32_t axis; /* that of two boxes along which carom_boxes_contact_find has found the contact: its number
                      (simd/ref/closed_boxes.h) plus 1. 0: other shapes, and boxes that were searched for */
} carom_gap;

/* A number within the bracket: the middle, or an end that is finite. */
static inline double carom_gap_middle(double lower, double upper) {
    if (isfinite(lower) && isfinite(upper)) {
        return carom_lesser(carom_greater(0.5 * lower + 0.5 * upper, lower), upper);
    }
    if (lower < upper && !isfinite(lower) && !isfinite(upper)) {
        return 0.0;
    }
    return isfinite(lower) ? lower : upper;
}

#endif
