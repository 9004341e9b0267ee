/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/event_cells.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Cells are made larger until there are no more of them than this for each body. */
static const double CELLS_A_BODY = 4.0;

static void *grown(void *memory, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) {
        return memory;
    }
    *room = needed + needed / 2;
    memory = realloc(memory, *room * size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static double cells_for(const double length[3], double edge) {
    return (length[0] / edge + 1.0) * (length[1] / edge + 1.0) * (length[2] / edge + 1.0);
}

void event_cells_begin(event_cells *cells, size_t count, const double lo[3], const double hi[3], double edge) {
    const double length[3] = {hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]};
    size_t number = 1;
    while (cells_for(length, edge) > CELLS_A_BODY * (double)count + 64.0) {
        edge *= 1.1;
    }
    for (int a = 0; a < 3; a++) {
        cells->corner[a] = lo[a];
        cells->size[a] = (int32_t)(length[a] / edge) + 1;
        number *= (size_t)cells->size[a];
    }
    cells->edge = edge;
    cells->entries = 0;
    cells->first = grown(cells->first, &cells->first_room, number, sizeof *cells->first);
    cells->filed = grown(cells->filed, &cells->filed_room, count, sizeof *cells->filed);
    memset(cells->first, 0xFF, number * sizeof *cells->first);
}

static int32_t cell_at(const event_cells *cells, int axis, double x) {
    const double cell = floor((x - cells->corner[axis]) / cells->edge);
    return (int32_t)fmin(fmax(cell, 0.0), (double)(cells->size[axis] - 1));
}

cell_range event_cells_range(const event_cells *cells, const double lo[3], const double hi[3]) {
    cell_range range;
    for (int a = 0; a < 3; a++) {
        range.lo[a] = cell_at(cells, a, lo[a]);
        range.hi[a] = cell_at(cells, a, hi[a]);
    }
    return range;
}

static void put(event_cells *cells, uint32_t body, size_t cell) {
    cells->entry = grown(cells->entry, &cells->entry_room, cells->entries + 1, sizeof *cells->entry);
    cells->entry[cells->entries] = (cell_entry){body, cells->first[cell]};
    cells->first[cell] = (uint32_t)cells->entries++;
}

static bool contains(cell_range range, int32_t x, int32_t y, int32_t z) {
    return x >= range.lo[0] && x <= range.hi[0] && y >= range.lo[1] && y <= range.hi[1] && z >= range.lo[2] &&
           z <= range.hi[2];
}

/* Puts a body into the cells of a range that are not in another one. */
static void put_in(event_cells *cells, uint32_t body, cell_range range, cell_range but) {
    for (int32_t z = range.lo[2]; z <= range.hi[2]; z++) {
        for (int32_t y = range.lo[1]; y <= range.hi[1]; y++) {
            for (int32_t x = range.lo[0]; x <= range.hi[0]; x++) {
                if (!contains(but, x, y, z)) {
                    put(cells, body, event_cells_index(cells, x, y, z));
                }
            }
        }
    }
}

void event_cells_file(event_cells *cells, uint32_t body, cell_range range) {
    const cell_range none = {{0, 0, 0}, {-1, -1, -1}};
    put_in(cells, body, range, none);
    cells->filed[body] = range;
}

void event_cells_extend(event_cells *cells, uint32_t body, cell_range range) {
    const cell_range before = cells->filed[body];
    for (int a = 0; a < 3; a++) {
        range.lo[a] = range.lo[a] < before.lo[a] ? range.lo[a] : before.lo[a];
        range.hi[a] = range.hi[a] > before.hi[a] ? range.hi[a] : before.hi[a];
    }
    put_in(cells, body, range, before);
    cells->filed[body] = range;
}

void event_cells_release(event_cells *cells) {
    free(cells->first);
    free(cells->entry);
    free(cells->filed);
    *cells = (event_cells){.edge = 0.0};
}
