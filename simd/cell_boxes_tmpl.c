/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Slots of a cell's bodies, in swept order, come in; their boxes, and how far each must be swept, go out. The sweep
 * reads columns, so records are transposed here, once for each cell that a body is in. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"

#define carom_cell_boxes CAROM_KERNEL(cell_boxes)
#define carom_cell_boxes_twin CAROM_TWIN(cell_boxes)

void carom_cell_boxes(const carom_record *records, uint32_t begin, const carom_grid *grid, const carom_bins *bins,
                      const uint32_t *bin_end, const carom_boxes *boxes) {
    CAROM_ASSERT(carom_check_named(records, boxes->slot, begin, boxes->count));
    CAROM_ASSERT(carom_check_sides(boxes->lo, boxes->hi));
    CAROM_ASSERT(carom_check_bins(bins) && carom_check_point(grid->centre));
    uint32_t n = begin;
    for (; n + CAROM_LANES <= boxes->count; n += CAROM_LANES) {
        vr field[7];
        vr_rows(records, boxes->slot + n, field);
        /* Side 0 is on the sweep axis. */
        for (uint32_t s = 0; s < 3; s++) {
            uint32_t axis = (bins->axis + s) % 3;
            vf lo;
            vf hi;
            vr_box(field[axis], field[4 + axis], field[3], grid->centre[axis], &lo, &hi);
            vf_store(boxes->lo[s] + n, lo);
            vf_store(boxes->hi[s] + n, hi);
            if (s == 0) { /* boxes in later bins begin behind this one */
                vi bin = vi_truncate(vf_place(hi, bins->origin, bins->scale, bins->last));
                vi_store(boxes->end + n, vi_gather(bin_end, bin));
            }
        }
    }
    carom_cell_boxes_twin(records, n, grid, bins, bin_end, boxes);
}
