/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Manifolds in the caller's precision, number by number. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/round.h"

#define carom_manifold_rows_write_twin CAROM_TWIN(manifold_rows)

void carom_manifold_rows_write_twin(const carom_manifold_points *points, uint32_t count,
                                    carom_manifold_row *const *row) {
    for (uint32_t n = 0; n < count; n++) {
        for (int p = 0; p < 4; p++) {
            row[n]->gap[p] = carom_round_near(points[n].separation[p]);
            for (int d = 0; d < 3; d++) {
                row[n]->point[p][d] = carom_round_near(points[n].point[p][d]);
            }
        }
    }
}
