/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Cubic cells, each with a list of the bodies whose paths may pass through it. A body is filed in every cell that the
 * box of its path touches. When it takes another path more cells are added, and none is taken away. What lies outside
 * the grid belongs to the cells at its border. */
#ifndef CAROM_TESTS_EVENT_CELLS_H
#define CAROM_TESTS_EVENT_CELLS_H

#include <stddef.h>
#include <stdint.h>

/* Cells from lo to hi on each axis, both included. */
typedef struct cell_range {
    int32_t lo[3];
    int32_t hi[3];
} cell_range;

typedef struct cell_entry {
    uint32_t body;
    uint32_t next; /* the next entry of the cell, or CELLS_END */
} cell_entry;

#define CELLS_END UINT32_MAX

/* Zero-initialise before the first use. */
typedef struct event_cells {
    double corner[3];
    double edge; /* in units of length */
    int32_t size[3];
    uint32_t *first; /* of each cell */
    size_t first_room;
    cell_entry *entry;
    size_t entries;
    size_t entry_room;
    cell_range *filed; /* of each body, where it is in all lists */
    size_t filed_room;
} event_cells;

/* Begins with empty cells for `count` bodies between lo and hi, not many more cells than bodies. `edge` is wished. */
void event_cells_begin(event_cells *cells, size_t count, const double lo[3], const double hi[3], double edge);

/* The cells that a box touches. */
cell_range event_cells_range(const event_cells *cells, const double lo[3], const double hi[3]);

/* Files a body for the first time since the cells began. */
void event_cells_file(event_cells *cells, uint32_t body, cell_range range);

/* Files a body in these cells too. */
void event_cells_extend(event_cells *cells, uint32_t body, cell_range range);

static inline size_t event_cells_index(const event_cells *cells, int32_t x, int32_t y, int32_t z) {
    return ((size_t)z * (size_t)cells->size[1] + (size_t)y) * (size_t)cells->size[0] + (size_t)x;
}

void event_cells_release(event_cells *cells);

#endif
