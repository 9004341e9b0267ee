/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Manifolds in the caller's precision, in vectors. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pose_lanes.h"
#include "simd/round_lanes.h"

#define carom_manifold_rows_write CAROM_KERNEL(manifold_rows)

/* Coordinates and separations, which lie side by side in both forms. */
enum { NUMBERS = 16 };

_Static_assert(sizeof(carom_manifold_points) == NUMBERS * sizeof(double), "a manifold is its numbers");
_Static_assert(sizeof(carom_manifold_row) == NUMBERS * sizeof(carom_real), "so it is when rounded");

void carom_manifold_rows_write(const carom_manifold_points *points, uint32_t count, carom_manifold_row *const *row) {
    for (uint32_t n = 0; n < count; n++) {
        const double *from = (const double *)(const void *)&points[n];
        carom_real *to = (carom_real *)(void *)row[n];
        for (uint32_t at = 0; at < NUMBERS; at += CAROM_PAIRS) {
            carom_round_lanes_store(to + at, carom_round_lanes_clamp(vd_load(from + at)));
        }
    }
}
