/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: lo = min(prev, curr) - r of each record on one axis, rounded outward, and the range of these. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/box.h"

#define carom_cell_lows_twin CAROM_TWIN(cell_lows)

void carom_cell_lows_twin(const carom_record *records, uint32_t count, const carom_grid *grid, uint32_t axis,
                          float *low, float range[2]) {
    CAROM_ASSERT(carom_check_records(records, 0, count));
    CAROM_ASSERT(axis < 3 && isfinite(grid->centre[axis]));
    CAROM_ASSERT(!isnan(range[0]) && !isnan(range[1]));
    for (uint32_t n = 0; n < count; n++) {
        const carom_record *body = &records[n];
        low[n] = swept_interval(body->prev[axis], body->curr[axis], body->radius, grid->centre[axis]).lo;
        range[0] = low[n] < range[0] ? low[n] : range[0];
        range[1] = low[n] > range[1] ? low[n] : range[1];
    }
}
