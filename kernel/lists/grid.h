/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A grid of cubes, as wide as the farthest two bodies can touch, with a layer of empty cells around. Positions are
 * whole numbers of steps from its origin, CAROM_LISTS_STEPS to a cell, of which the low 32 bits are kept: differences
 * between bodies of neighbouring cells are exact, however large the scene is. */
#ifndef CAROM_LISTS_GRID_H
#define CAROM_LISTS_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/kernels.h"

/* 2^23 steps: a body is less than 2^24 steps from the centre of a cell beside its own. */
#define CAROM_LISTS_STEPS (UINT64_C(1) << CAROM_STEPS_BITS)

/* A cell has at least so many bodies in the mean, the empty layers not counted: where bodies are sparse wider cells
 * cost less. */
#define CAROM_LISTS_BODIES_A_CELL 4.0

typedef struct carom_lists_grid {
    double origin[3];   /* the low corner of cell (1, 1, 1) */
    double scale;       /* steps in the caller's unit of length */
    uint64_t cells[3];  /* with the empty layers, at least 3 */
    uint64_t count;     /* of all cells */
    uint64_t around[3]; /* cells along an axis that repeats, the last one cut off where it does; 0: space is open */
    uint64_t edge[3];   /* how long such an axis is before it repeats, in steps, rounded to nearest */
} carom_lists_grid;

/* Cells along an axis that repeats are so many at least: a cell's neighbours then are different ones. */
#define CAROM_LISTS_AROUND_LEAST 4

/* Makes a grid over positions from lo to hi. reach: no two bodies touch whose centres are farther apart. False if there
 * is none: numbers are too great, or the reach too small beside them. */
bool carom_lists_grid_make(const double lo[3], const double hi[3], double reach, uint64_t bodies,
                           carom_lists_grid *grid);

/* Where a cell is along each axis, from 0 in the empty layers on. */
static inline void carom_lists_grid_place(const carom_lists_grid *grid, uint64_t cell, uint64_t place[3]) {
    place[0] = cell / grid->cells[2] / grid->cells[1];
    place[1] = cell / grid->cells[2] % grid->cells[1];
    place[2] = cell % grid->cells[2];
}

/* Makes axis `a` of a grid repeat after `edge`, a length that its bodies' places reach but for 2^-7 step. Returns
 * whether there are enough cells. */
bool carom_lists_grid_close(carom_lists_grid *grid, int a, double edge);

/* A distance from the origin in steps. The place is in the grid. */
static inline uint64_t carom_lists_grid_step(const carom_lists_grid *grid, double distance) {
    return (uint64_t)(distance * grid->scale + 0.5);
}

/* The cell that holds a place. */
static inline uint64_t carom_lists_grid_cell(const carom_lists_grid *grid, const uint64_t step[3]) {
    const uint64_t x = (step[0] >> CAROM_STEPS_BITS) + 1;
    const uint64_t y = (step[1] >> CAROM_STEPS_BITS) + 1;
    const uint64_t z = (step[2] >> CAROM_STEPS_BITS) + 1;
    return (x * grid->cells[1] + y) * grid->cells[2] + z;
}

#endif
