/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The constants were measured on one 2.6 GHz core with AVX-512, on the scenes u, d and p of 1e4 to 1e6 bodies
 * (bench/results/measurements.md, Cost model). */
#include "kernel/broad/cost.h"

#include <math.h>

/* Assigning a body to a cell; to the only one. */
static const double PARTITION_NS = 8.0;
static const double ONE_CELL_NS = 6.5;
/* Sorting an entry of a cell, making its box and starting its sweep: in a cell that fits the first-level cache, in one
 * that fits only the second-level cache, and in one that fits neither. */
static const double ENTRY_NS = 6.5;
static const double LARGE_ENTRY_NS = 9.5;
static const double LARGE_ENTRIES = 4096.0;
static const double FAR_ENTRY_NS = 35.0;
static const double FAR_ENTRIES = 16384.0;
/* One vector of LANES overlap tests, with what the hits among them cost. */
static const double VECTOR_NS = 3.0;
static const double LANES = 16.0;
/* A body in cells that are not swept: its box, and starting its tests; one vector of tests; a cell. */
static const double ADJACENT_BODY_NS = 6.0;
static const double ADJACENT_VECTOR_NS = 2.0;
static const double ADJACENT_CELL_NS = 180.0;
/* Moving an entry behind the leading ones. */
static const double REORDER_NS = 6.0;
/* An oversized body's visit to a cell: listed, sorted, looked up. */
static const double VISIT_NS = 15.0;
/* A cell, even an empty one. */
static const double CELL_NS = 250.0;
/* An oversized body in its own level, and that level itself. */
static const double LEVEL_BODY_NS = 60.0;
static const double LEVEL_NS = 10000.0;

static double total_cells(const double cells[3]) {
    return cells[0] * cells[1] * cells[2];
}

/* Entries that one entry is tested against: those whose low corners lie in its sweep, among its cell's own and borrowed
 * bodies. */
static double window_of(const carom_cost_scene *scene, const double cells[3]) {
    double window = scene->count * scene->clustering;
    for (uint32_t a = 0; a < 3; a++) {
        double whole = scene->length[a] + scene->extent[a];
        double width = a == scene->sweep_axis ? 0.0 : scene->length[a] / cells[a];
        window *= whole > 0.0 ? fmin(1.0, (width + scene->extent[a]) / whole) : 1.0;
    }
    return fmin(window, scene->count);
}

static double entry_cost(double in_cell, double window) {
    double entry = in_cell > LARGE_ENTRIES ? LARGE_ENTRY_NS : ENTRY_NS;
    entry = in_cell > FAR_ENTRIES ? FAR_ENTRY_NS : entry;
    return entry + VECTOR_NS * (window / LANES + 0.5);
}

/* Mean number of cells that a box of these sides reaches. */
static double cells_reached(const carom_cost_scene *scene, const double cells[3], const double side[3]) {
    double reached = 1.0;
    for (int a = 0; a < 3; a++) {
        if (cells[a] > 1.0) {
            reached *= fmin(cells[a], 1.0 + side[a] * cells[a] / scene->length[a]);
        }
    }
    return reached;
}

double carom_cost_grid(const carom_cost_scene *scene, const double cells[3]) {
    double total = total_cells(cells);
    double entries = cells_reached(scene, cells, scene->extent);
    double in_cell = scene->count * entries / total * (total > 1.0 ? scene->clustering : 1.0);
    double body = entries * entry_cost(in_cell, window_of(scene, cells)) + (total > 1.0 ? PARTITION_NS : ONE_CELL_NS);
    return scene->count * body + total * CELL_NS;
}

double carom_cost_adjacent(const carom_cost_scene *scene, const double cells[3]) {
    const double total = total_cells(cells);
    double beside = 1.0;
    for (int a = 0; a < 3; a++) {
        beside *= 3.0 - 2.0 / cells[a];
    }
    const double candidates = 0.5 * (beside + 1.0) * scene->count / total * scene->clustering;
    const double body = PARTITION_NS + ADJACENT_BODY_NS + ADJACENT_VECTOR_NS * (candidates / LANES + 0.5);
    return scene->count * body + total * ADJACENT_CELL_NS;
}

double carom_cost_wide(const carom_cost_scene *narrow, const double cells[3], const carom_census *census, double limit,
                       double widest) {
    double in_cell = fmin(narrow->count, narrow->count / total_cells(cells) * narrow->clustering);
    double cost = LEVEL_NS;
    /* Bodies between two limits of the census count as wide as their geometric mean. */
    for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
        if ((double)census->limit[l] < limit) {
            continue;
        }
        bool last = l + 1 == CAROM_CENSUS_LIMITS;
        double bodies = (double)(census->wider[l] - (last ? 0 : census->wider[l + 1]));
        double side = sqrt((double)census->limit[l] * (last ? widest : (double)census->limit[l + 1]));
        double reached = cells_reached(narrow, cells, (double[3]){side, side, side});
        cost += bodies * (LEVEL_BODY_NS + reached * (VISIT_NS + entry_cost(in_cell, 0.5 * in_cell)));
    }
    return cost;
}

double carom_cost_shared(const carom_cost_scene *scene, const double cells[3], double reached, double overlap) {
    double in_cell = scene->count * reached / total_cells(cells);
    double body = reached * (VISIT_NS + entry_cost(in_cell, 0.5 * overlap * in_cell)) + PARTITION_NS;
    return scene->count * body + total_cells(cells) * CELL_NS;
}

double carom_cost_sweep(const carom_cost_scene *scene, double overlap) {
    return scene->count * (ONE_CELL_NS + entry_cost(scene->count, 0.5 * overlap * scene->count)) + CELL_NS;
}

/* The others lie in order behind the leading boxes: each of these is held against those that begin before it ends. */
double carom_cost_leading(const carom_cost_scene *scene, double overlap, double leading) {
    const double others = 0.5 * (1.0 + overlap) * (scene->count - leading);
    const double tests = leading * (0.5 * leading + others);
    const double sorted = scene->count * (ONE_CELL_NS + entry_cost(scene->count, 0.0) + REORDER_NS);
    return sorted + VECTOR_NS / LANES * tests + CELL_NS;
}
