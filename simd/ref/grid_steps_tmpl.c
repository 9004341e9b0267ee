/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: body by body, in whole numbers. */
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"

#define carom_grid_steps_twin CAROM_TWIN(grid_steps)

void carom_grid_steps_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_step_grid *grid,
                           uint32_t *const step[3], uint32_t *cell) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_finite(bodies, begin, end));
    for (uint64_t n = begin; n < end; n++) {
        uint64_t number = (uint64_t)grid->first;
        for (int a = 0; a < 3; a++) {
            const double prev = (double)carom_layout_value(bodies->prev[a], bodies->prev_stride, n) - grid->origin[a];
            const double curr = (double)carom_layout_value(bodies->curr[a], bodies->curr_stride, n) - grid->origin[a];
            const uint64_t steps = (uint64_t)rint((grid->moves ? 0.5 * (prev + curr) : prev) * grid->scale);
            step[a][n] = (uint32_t)steps;
            number += (steps >> CAROM_STEPS_BITS) * (uint64_t)grid->weight[a];
        }
        cell[n] = (uint32_t)number;
    }
}
