/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The plan of the broad phase: which cells space is cut into, so that only bodies of one cell are compared.
 *
 * In: a sample of the bodies, a survey of all of them (range, widest box) and, where box sizes differ much, a census
 * (how many boxes are wider than each of some limits). Out: a method and a grid. The choice is the layout for which the
 * cost model (cost.h) predicts the fewest nanoseconds. It reads no clock, so it is the same on every machine.
 *
 *   SWEEP   One cell. All bodies are sorted along the sweep axis, the one on which box centres vary most. Where only
 * the pairs of the first bodies are wanted, these may lead: each is held against all others, which are not held against
 * one another. CELLS   A grid: columns across the sweep axis, cut into pieces along it. No cell is narrower than the
 * widest box, so a box reaches at most into the next cell on each axis. Where bodies are crowded cells are as narrow as
 * that and are not swept: each body is tested against those of its cell and of the adjacent ones (linked cells;
 * Quentrec, Brot 1973). LEVELS  The same grid for the narrow bodies only. A wider body is oversized: it visits every
 * cell that it reaches. Oversized bodies are compared with one another as a scene of their own, which has its own plan.
 * SHARED  All bodies are oversized and visit every cell that they reach. For long boxes that point along different
 * axes: no grid is wide enough for their lengths and narrow enough for their widths.
 *
 * No plan loses a pair; a bad one only costs time. A body far outside the rest belongs to the nearest
 * border cell, so one outlier does not make all cells larger. A cell that becomes crowded in this way is searched as a
 * scene of its own. */
#ifndef CAROM_BROAD_PLAN_H
#define CAROM_BROAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/detect.h"
#include "kernel/broad/sample.h"
#include "simd/kernels.h"

/* Cells in all, at most. */
enum { CAROM_PLAN_CELLS_MOST = 262144 };

typedef struct carom_plan {
    /* The map from a coordinate to a column, as the codes kernel reads it. */
    carom_grid grid;

    /* SWEEP, CELLS, LEVELS or SHARED; never AUTO. SWEEP exactly if there is one cell. */
    carom_method method;

    /* 0, 1 or 2. Within a cell, boxes are sorted and swept along this axis. */
    uint32_t sweep_axis;

    /* Step in cell numbers from one column of an axis to the next. The sweep axis has 1. */
    uint32_t stride[3];

    /* Straddle bit of an axis: 1, 2 or 4; 0 if the axis has one column. A body's code holds the bit if its box reaches
     * into the next column. */
    uint32_t bit[3];

    /* Number of split axes, 0 to 3; 0 if cells are adjacent. A cell has 2^bits codes: code = cell << bits | straddle
     * bits. */
    uint32_t bits;

    /* Number of cells, 1 to 262144. */
    uint32_t cell_count;

    /* The code of all oversized bodies: the one after all cells' codes. */
    uint32_t wide_code;

    /* wide_code + 1, below 2^24 so that float holds every code exactly. */
    uint32_t code_count;

    /* 0, or the leading bodies of a sweep, the first of their scene: only their pairs are found. */
    uint32_t leading;

    /* Of CELLS: cells are not swept. Each body is tested against those of its own cell and of the adjacent ones. */
    bool adjacent;

    /* Range of the low corners on the sweep axis without outliers, relative to grid.centre. The bins of the counting
     * sort in a cell cover no more than this. */
    float sweep_lo;
    float sweep_hi;

    /* Width of a cell, in mean boxes of the bodies that are not oversized. Only for carom_plan_explain. */
    double width[3];

    /* Predicted cost in nanoseconds a body on one thread: of this plan, and of one sweep over everything. */
    double predicted;
    double alternative;
} carom_plan;

/* What a plan is made from. Positions in `statistics` are absolute. The grid, the survey and the census are relative to
 * `centre`. */
typedef struct carom_plan_input {
    uint64_t count;                          /* bodies, at least 1 */
    uint64_t leading;                        /* 0, or only pairs that have one of the first so many bodies are wanted */
    carom_method method;                     /* AUTO, or the one to be taken if it is possible */
    bool swept;                              /* CELLS are to be swept */
    const carom_sample *sample;              /* some of the bodies */
    const carom_axis_statistics *statistics; /* what the sample says about each axis */
    carom_spread spread;                     /* what it says about all three together */
    const carom_survey *survey;              /* range and widest box of all bodies */
    const carom_census *census;              /* NULL unless carom_plan_needs_census */
    const double *centre;                    /* three finite coordinates; (0, 0, 0) for f32 */
} carom_plan_input;

/* Whether box sizes differ so much that a census is worth one more pass over the bodies. If so, fills census->limit. */
bool carom_plan_needs_census(const carom_plan_input *input, carom_census *census);

/* Chooses the plan. `input->sample` has at least one body. */
void carom_plan_make(const carom_plan_input *input, carom_plan *plan);

/* What is wrong with a plan: its integers and the grid must describe the same cells. NULL if nothing is. */
const char *carom_plan_validate(const carom_plan *plan);

/* Column of coordinate x on an axis, x relative to the centre. The same float operations as in the codes kernel. */
uint32_t carom_plan_column(const carom_plan *plan, uint32_t axis, float x);

/* "auto", "sweep", "cells", "levels" or "shared". NULL for values outside the enum. */
const char *carom_plan_method_name(carom_method method);

/* Writes one line for people: the method, its cells and the predicted cost. `asked`: the caller chose the method. */
void carom_plan_explain(const carom_plan *plan, bool asked, char *line, uint32_t size);

#endif
