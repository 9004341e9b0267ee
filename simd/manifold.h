/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contact manifolds as kernels and the rest of the library pass them on. */
#ifndef CAROM_SIMD_MANIFOLD_H
#define CAROM_SIMD_MANIFOLD_H

#include <math.h>

#include "simd/pair_block.h"

/* Up to four points midway between the surfaces, which are separation[n] apart along the pair's normal there. */
typedef struct carom_manifold_points {
    double point[4][3];
    double separation[4];
} carom_manifold_points;

/* Points are listed by their products with this direction, which no ordinary scene is symmetric about: so they keep
 * their order from step to step, whatever their separations do, and a solver finds them again. */
#define CAROM_MANIFOLD_ORDER_Y 0.6180339887498949
#define CAROM_MANIFOLD_ORDER_Z 0.3247179572447460

static inline double carom_manifold_key(const double point[3]) {
    return point[0] + CAROM_MANIFOLD_ORDER_Y * point[1] + CAROM_MANIFOLD_ORDER_Z * point[2];
}

/* Points a and b change places if they are not in order. */
static inline void carom_manifold_swap(carom_manifold_points *found, double key[4], int a, int b) {
    if (key[b] < key[a]) {
        for (int d = 0; d < 3; d++) {
            const double x = found->point[a][d];
            found->point[a][d] = found->point[b][d];
            found->point[b][d] = x;
        }
        const double separation = found->separation[a];
        const double value = key[a];
        found->separation[a] = found->separation[b];
        found->separation[b] = separation;
        key[a] = key[b];
        key[b] = value;
    }
}

/* Lists `count` points in order. */
static inline void carom_manifold_order(carom_manifold_points *found, uint32_t count) {
    double key[4];
    for (uint32_t n = 0; n < 4; n++) {
        key[n] = n < count ? carom_manifold_key(found->point[n]) : HUGE_VAL;
    }
    carom_manifold_swap(found, key, 0, 1);
    carom_manifold_swap(found, key, 2, 3);
    carom_manifold_swap(found, key, 0, 2);
    carom_manifold_swap(found, key, 1, 3);
    carom_manifold_swap(found, key, 1, 2);
}

/* Those of some pairs of a block, one after the other. Vectors write past the last. */
typedef struct carom_block_manifolds {
    double margin;                    /* in: points are kept at least up to this separation */
    uint32_t count[CAROM_BLOCK_ROOM]; /* points, 1 to 4; the others are 0 */
    carom_manifold_points points[CAROM_BLOCK_ROOM];
} carom_block_manifolds;

/* A face within this cosine of the normal may be clipped by, about 8 degrees. */
#define CAROM_MANIFOLD_PARALLEL 0.99

/* Points are kept up to the margin, and up to this height over the deepest, or over the plane, relative to the smaller
 * shape's reach. */
#define CAROM_MANIFOLD_SLACK 0x1p-6

/* Separations of a face's points are as good as the pair's if they differ by less, likewise. */
#define CAROM_MANIFOLD_ALIKE 0x1p-20

#endif
