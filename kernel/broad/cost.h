/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Predicts what a layout of the broad phase costs, from a few numbers about the scene. Nanoseconds on one thread of one
 * machine, whatever this one is: only their ratios matter, and the choice, and with it the order of the pairs, must not
 * differ between machines. */
#ifndef CAROM_BROAD_COST_H
#define CAROM_BROAD_COST_H

#include <stdint.h>

#include "simd/kernels.h"

/* A set of boxes and the space they are in. */
typedef struct carom_cost_scene {
    double count;
    double length[3]; /* range of the low corners */
    double extent[3]; /* mean box */
    double clustering;
    uint32_t sweep_axis;
} carom_cost_scene;

/* One cell: everything sorted and swept, where `overlap` of the pairs overlap on the sweep axis. */
double carom_cost_sweep(const carom_cost_scene *scene, double overlap);

/* A grid: sorting and sweeping every cell. */
double carom_cost_grid(const carom_cost_scene *scene, const double cells[3]);

/* Besides carom_cost_grid of the narrow bodies: the bodies wider than `limit` (a limit of the census) as guests of the
 * cells they reach, and a level of their own among themselves. */
double carom_cost_wide(const carom_cost_scene *narrow, const double cells[3], const carom_census *census, double limit,
                       double widest);

/* Every body in all cells it reaches, `reached` on the average, where `overlap` of the pairs overlap on the sweep axis.
 */
double carom_cost_shared(const carom_cost_scene *scene, const double cells[3], double reached, double overlap);

#endif
