/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The vertices of a hull in floats, as searches in floats read them (simd/seek_floats.h): `padded` values each of x, y
 * and z, then the bits of each vertex' number, 0 for those that repeat vertex 0; then x, y, z and 0 of one vertex after
 * the other, so that a vertex is one load. */
#ifndef CAROM_SIMD_ROUNDED_H
#define CAROM_SIMD_ROUNDED_H

#include <stdint.h>
#include <string.h>

/* Where numbers and rows begin, and the length of all, in units of `padded` floats. */
enum { CAROM_ROUNDED_NUMBERS = 3, CAROM_ROUNDED_ROWS = 4, CAROM_ROUNDED_ALL = 8 };

static inline void carom_rounded_fill(const double *const vertex[3], uint32_t vertex_count, uint32_t padded,
                                      float *rounded) {
    for (uint32_t n = 0; n < padded; n++) {
        float *row = rounded + CAROM_ROUNDED_ROWS * (size_t)padded + 4 * (size_t)n;
        const uint32_t number = n < vertex_count ? n : 0;
        for (uint32_t d = 0; d < 3; d++) {
            row[d] = (float)vertex[d][number];
            rounded[d * (size_t)padded + n] = row[d];
        }
        row[3] = 0.0F;
        memcpy(&rounded[CAROM_ROUNDED_NUMBERS * (size_t)padded + n], &number, sizeof number);
    }
}

#endif
