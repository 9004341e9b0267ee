/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: a code is the sum over the axes of column cell_weight + straddle bit_weight. straddle is 1 if the box
 * reaches into the next column. A box wider than a cell gets wide_code. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/layout.h"
#include "simd/ref/box.h"

#define carom_codes_twin CAROM_TWIN(codes)

/* What one axis adds to the code. */
static float axis_code(const carom_grid *grid, int a, interval box) {
    float column = place(box.lo, grid->origin[a], grid->scale[a], grid->last[a]);
    float next = place(box.hi, grid->origin[a], grid->scale[a], grid->last[a]);
    float straddle = next - column < 1.0F ? next - column : 1.0F;
    return column * grid->cell_weight[a] + straddle * grid->bit_weight[a];
}

void carom_codes_twin(const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_grid *grid,
                      uint32_t *code) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_finite(bodies, begin, end));
    CAROM_ASSERT(carom_check_grid(grid));
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        float sum = 0.0F;
        bool narrow = true;
        for (int a = 0; a < 3; a++) {
            if (grid->columns[a] > 1) {
                interval box = swept_interval(body.prev[a], body.curr[a], body.radius, grid->centre[a]);
                sum += axis_code(grid, a, box);
                narrow = narrow && box.hi - box.lo <= grid->wide[a];
            }
        }
        code[n] = (uint32_t)(narrow ? sum : grid->wide_code);
    }
}
