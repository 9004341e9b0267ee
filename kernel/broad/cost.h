/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The cost model: how long each layout of the broad phase would take.
 *
 * In: a few numbers about the scene. Out: nanoseconds on one thread of one machine. Only their ratios matter. The model
 * counts work (bodies moved, entries sorted, vectors of tests) and never measures time, because the chosen layout
 * decides the order of the pairs, and that order must be the same on every machine. */
#ifndef CAROM_BROAD_COST_H
#define CAROM_BROAD_COST_H

#include <stdint.h>

#include "simd/kernels.h"

/* A set of boxes and the space they are in. Lengths have the caller's unit. */
typedef struct carom_cost_scene {
    double count;        /* boxes, at least 1 */
    double length[3];    /* range of the low corners on each axis */
    double extent[3];    /* mean side of a box on each axis */
    double clustering;   /* carom_spread.clustering, at least 1 */
    uint32_t sweep_axis; /* 0, 1 or 2 */
} carom_cost_scene;

/* One cell for all boxes. `overlap` is the share of pairs that overlap on the sweep axis, in [0, 1]. */
double carom_cost_sweep(const carom_cost_scene *scene, double overlap);

/* The same, of which only the first `leading` boxes are swept: each is held against all others. */
double carom_cost_leading(const carom_cost_scene *scene, double overlap, double leading);

/* A grid of cells[a] cells on axis a: partition, and the sort and the sweep of every cell. */
double carom_cost_grid(const carom_cost_scene *scene, const double cells[3]);

/* The same grid, of which each body is tested against those of its cell and of the adjacent ones that come later. */
double carom_cost_adjacent(const carom_cost_scene *scene, const double cells[3]);

/* What bodies wider than `limit` (a limit of the census) cost in addition to carom_cost_grid of the narrow bodies:
 * their visits to cells, and their own level. `widest` is the widest side of all boxes. */
double carom_cost_wide(const carom_cost_scene *narrow, const double cells[3], const carom_census *census, double limit,
                       double widest);

/* Every body visits all cells that it reaches: `reached` on average. `overlap` as for one cell. */
double carom_cost_shared(const carom_cost_scene *scene, const double cells[3], double reached, double overlap);

#endif
