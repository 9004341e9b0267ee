/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the swept box of each named record, first on the bins' axis, then on the two after it. Its sweep ends at
 * the first entry after the bin of its high side. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/box.h"

#define carom_cell_boxes_twin CAROM_TWIN(cell_boxes)

void carom_cell_boxes_twin(const carom_record *records, uint32_t begin, const carom_grid *grid, const carom_bins *bins,
                           const uint32_t *bin_end, const carom_boxes *boxes) {
    CAROM_ASSERT(carom_check_named(records, boxes->slot, begin, boxes->count));
    CAROM_ASSERT(carom_check_sides(boxes->lo, boxes->hi));
    CAROM_ASSERT(carom_check_bins(bins) && carom_check_point(grid->centre));
    for (uint32_t n = begin; n < boxes->count; n++) {
        const carom_record *body = &records[boxes->slot[n]];
        for (uint32_t s = 0; s < 3; s++) {
            uint32_t a = (bins->axis + s) % 3;
            interval box = swept_interval(body->prev[a], body->curr[a], body->radius, grid->centre[a]);
            boxes->lo[s][n] = box.lo;
            boxes->hi[s][n] = box.hi;
            if (s == 0) { /* the sweep axis */
                boxes->end[n] = bin_end[(uint32_t)place(box.hi, bins->origin, bins->scale, bins->last)];
            }
        }
    }
    /* NaN overlaps nothing: a sweep may read whole vectors. */
    for (uint32_t n = boxes->count; n < boxes->count + CAROM_SIMD_PAD; n++) {
        for (uint32_t s = 0; s < 3; s++) {
            boxes->lo[s][n] = NAN;
            boxes->hi[s][n] = NAN;
        }
    }
}
