/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Chooses how a scene is searched for pairs, by predicted cost, from a sample of its bodies and a survey of them all.
 *
 *   sweep   one cell: everything in order along the sweep axis (greatest variance of box centres)
 *   cells   columns across the sweep axis and pieces along it, no narrower than the widest box, so that a box reaches
 *           at most into the next cell
 *   levels  cells for the narrow bodies; those too wide for them visit every cell they reach, and are searched for
 *           pairs among themselves as a scene of their own
 *   shared  all bodies visit every cell they reach: for boxes long on differing axes
 *
 * Bodies far outside the rest belong to the border cells, so they coarsen nothing; where that makes a cell crowded it
 * is planned again as a scene of its own. */
#ifndef CAROM_BROAD_PLAN_H
#define CAROM_BROAD_PLAN_H

#include <stdint.h>

#include "carom/detect.h"
#include "kernel/broad/sample.h"
#include "simd/kernels.h"

typedef struct carom_plan {
    carom_grid grid;
    carom_method method; /* never AUTO */
    uint32_t sweep_axis;
    uint32_t stride[3]; /* cells to the next along an axis */
    uint32_t bit[3];    /* straddle bit of an axis within a code; 0 if the axis is not split */
    uint32_t bits;      /* number of split axes: a cell has 2^bits codes */
    uint32_t cell_count;
    uint32_t wide_code; /* of the bodies too wide for the cells, after all cells' codes */
    uint32_t code_count;
    float sweep_lo; /* sampled range on the sweep axis, where it is not split */
    float sweep_hi;
    double width[3];    /* of a cell, in mean narrow boxes */
    double predicted;   /* nanoseconds a body on one thread, by the cost model */
    double alternative; /* the same for one sweep over everything */
} carom_plan;

/* What a plan is made from. Positions in `statistics` are absolute; the grid is relative to `centre`, as survey and
 * census are. */
typedef struct carom_plan_input {
    uint64_t count;
    carom_method method; /* AUTO, or the one to be taken */
    const carom_sample *sample;
    const carom_axis_statistics *statistics;
    carom_spread spread;
    const carom_survey *survey;
    const carom_census *census; /* NULL if the scene needs none */
    const double *centre;
} carom_plan_input;

/* Whether boxes differ so much that a plan should know how many are how wide; sets the limits to be counted by. */
bool carom_plan_needs_census(const carom_plan_input *input, carom_census *census);

void carom_plan_make(const carom_plan_input *input, carom_plan *plan);

/* Column of a low or high corner on an axis, relative to the centre: what the codes kernel computes. */
uint32_t carom_plan_column(const carom_plan *plan, uint32_t axis, float x);

/* "sweep", "cells", ...; "auto". NULL for values outside the enum. */
const char *carom_plan_method_name(carom_method method);

/* One line: the method, its parameters and why; `asked`: the caller wanted it so. */
void carom_plan_explain(const carom_plan *plan, bool asked, char *line, uint32_t size);

#endif
