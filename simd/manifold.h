/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact manifolds as kernels and the rest of the library pass them on. */
#ifndef CAROM_SIMD_MANIFOLD_H
#define CAROM_SIMD_MANIFOLD_H

#include "simd/pair_block.h"

/* Up to four points midway between the surfaces, which are separation[n] apart along the pair's normal there. */
typedef struct carom_manifold_points {
    double point[4][3];
    double separation[4];
} carom_manifold_points;

/* Those of some pairs of a block, one after the other. Vectors write past the last. */
typedef struct carom_block_manifolds {
    uint32_t count[CAROM_BLOCK_ROOM]; /* points, 1 to 4; the others are 0 */
    carom_manifold_points points[CAROM_BLOCK_ROOM];
} carom_block_manifolds;

/* A face within this cosine of the normal may be clipped by, about 8 degrees. */
#define CAROM_MANIFOLD_PARALLEL 0.99

/* Points are kept up to this height over the deepest, or over the plane, relative to the smaller shape's reach. */
#define CAROM_MANIFOLD_SLACK 0x1p-6

/* Separations of a face's points are as good as the pair's if they differ by less, likewise. */
#define CAROM_MANIFOLD_ALIKE 0x1p-20

#endif
