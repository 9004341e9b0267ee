/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/grid.h"

#include <math.h>

#include "kernel/check/assert.h"

/* Cells are wider than the reach by this share, so that rounding cannot put two bodies that touch two cells apart, nor
 * make two that are farther apart than a cell's width seem to touch (MARGIN in search_tmpl.c). */
static const double WIDER = 0x1p-13;
/* A position may be rounded up to the next step. */
static const double ROUNDING = 0x1p-20;
/* By how much cells grow until there are few enough. */
static const double GROWTH = 1.125;
/* Cells along an axis: steps then are whole numbers in doubles, and their rounding is far below WIDER. */
static const double CELLS_MOST = 0x1p20;

/* Cells of this width along each axis, without the empty layers; returns their product. */
static double count_cells(const double extent[3], double width, double cells[3]) {
    double count = 1.0;
    for (int a = 0; a < 3; a++) {
        cells[a] = floor(extent[a] / width + ROUNDING) + 1.0;
        count *= cells[a];
    }
    return count;
}

static bool are_few(const double cells[3], double count, uint64_t bodies) {
    const double most = fmax((double)bodies / CAROM_LISTS_BODIES_A_CELL, 8.0);
    return count <= most && cells[0] <= CELLS_MOST && cells[1] <= CELLS_MOST && cells[2] <= CELLS_MOST;
}

bool carom_lists_grid_make(const double lo[3], const double hi[3], double reach, uint64_t bodies,
                           carom_lists_grid *grid) {
    double extent[3];
    double cells[3];
    double longest = 0.0;
    for (int a = 0; a < 3; a++) {
        extent[a] = hi[a] - lo[a];
        longest = fmax(longest, extent[a]);
    }
    double width = fmax(reach * (1.0 + WIDER), longest / CELLS_MOST);
    if (!(isfinite(longest) && width > 0x1p-500 && width < 0x1p500)) {
        return false;
    }
    while (!are_few(cells, count_cells(extent, width, cells), bodies)) {
        width *= GROWTH;
    }
    grid->scale = (double)CAROM_LISTS_STEPS / width;
    grid->count = 1;
    for (int a = 0; a < 3; a++) {
        grid->around[a] = 0;
        grid->edge[a] = 0;
        grid->origin[a] = lo[a];
        grid->cells[a] = (uint64_t)cells[a] + 2;
        grid->count *= grid->cells[a];
    }
    CAROM_ASSERT(grid->count < UINT32_MAX);
    return true;
}

bool carom_lists_grid_close(carom_lists_grid *grid, int a, double edge) {
    grid->edge[a] = (uint64_t)rint(edge * grid->scale);
    grid->around[a] = ((grid->edge[a] + 1) >> CAROM_STEPS_BITS) + 1;
    return grid->around[a] >= CAROM_LISTS_AROUND_LEAST && grid->around[a] + 2 <= grid->cells[a];
}
