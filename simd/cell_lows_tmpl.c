/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Consecutive records of a cell come in; the low corners of their boxes on the sweep axis, and the range of these, go
 * out. The range becomes the cell's bins. Least and greatest values do not depend on the order of the lanes. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"

#define carom_cell_lows CAROM_KERNEL(cell_lows)
#define carom_cell_lows_twin CAROM_TWIN(cell_lows)

void carom_cell_lows(const carom_record *records, uint32_t count, const carom_grid *grid, uint32_t axis, float *low,
                     float range[2]) {
    CAROM_ASSERT(carom_check_records(records, 0, count));
    CAROM_ASSERT(axis < 3 && isfinite(grid->centre[axis]));
    CAROM_ASSERT(!isnan(range[0]) && !isnan(range[1]));
    vf least = vf_set1(range[0]);
    vf most = vf_set1(range[1]);
    uint32_t n = 0;
    for (; n + CAROM_LANES <= count; n += CAROM_LANES) {
        vr field[7];
        vf lo;
        vf hi;
        vr_rows(records + n, carom_lane_numbers, field);
        vr_box(field[axis], field[4 + axis], field[3], grid->centre[axis], &lo, &hi);
        vf_store(low + n, lo);
        least = vf_min(lo, least);
        most = vf_max(lo, most);
    }
    float lane[2][CAROM_LANES];
    vf_store(lane[0], least);
    vf_store(lane[1], most);
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        range[0] = lane[0][l] < range[0] ? lane[0][l] : range[0];
        range[1] = lane[1][l] > range[1] ? lane[1][l] : range[1];
    }
    carom_cell_lows_twin(records + n, count - n, grid, axis, low + n, range);
}
