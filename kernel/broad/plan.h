/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Chooses the partition of a scene from a sample of its bodies and a survey of them all: the sweep axis (greatest
 * variance of box centres), the columns across it and, where those are full, pieces along it. Cells are never
 * narrower than the widest box, so a box reaches at most into the next cell; bodies far outside the rest belong to
 * the border cells, so they coarsen nothing. */
#ifndef CAROM_BROAD_PLAN_H
#define CAROM_BROAD_PLAN_H

#include <stdint.h>

#include "simd/kernels.h"

enum { CAROM_SAMPLE_MAX = 512 };

/* Some bodies of the scene, spread over the index. */
typedef struct carom_sample {
    uint32_t count;
    double centre[3][CAROM_SAMPLE_MAX]; /* of the swept box */
    double extent[3][CAROM_SAMPLE_MAX]; /* of the swept box */
} carom_sample;

/* What a sample says about one axis. */
typedef struct carom_axis_statistics {
    double lo; /* range of the centres, less the farthest few on either side */
    double hi;
    double variance; /* with those few moved to lo and hi */
    double mean_extent;
} carom_axis_statistics;

typedef struct carom_plan {
    carom_grid grid;
    uint32_t sweep_axis;
    uint32_t stride[3]; /* cells to the next along an axis */
    uint32_t bit[3];    /* straddle bit of an axis within a code; 0 if the axis is not split */
    uint32_t bits;      /* number of split axes: a cell has 2^bits codes */
    uint32_t cell_count;
    uint32_t code_count; /* cell_count << bits */
    float sweep_lo;      /* sampled range on the sweep axis, where it is not split */
    float sweep_hi;
} carom_plan;

/* sample->count >= 1. */
void carom_plan_statistics(const carom_sample *sample, carom_axis_statistics statistics[3]);

/* Positions in `statistics` are absolute; the grid is relative to `centre`, as the survey is. */
void carom_plan_make(uint64_t count, const carom_axis_statistics statistics[3], const carom_survey *survey,
                     const double centre[3], carom_plan *plan);

#endif
