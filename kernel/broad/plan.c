/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/plan.h"

#include <math.h>
#include <string.h>

/* Width of a column in mean box extents: wider means more boxes swept past, narrower more boxes borrowed. */
static const double COLUMN_EXTENTS = 5.0;
/* The same for pieces along the sweep axis, where width costs nothing and a border costs borrowing. */
static const double PIECE_EXTENTS = 8.0;
/* Cells may be no narrower than this many times the widest box: covers the rounding of the column map. */
static const double WIDEST_MARGIN = 1.02;
/* Fewest bodies a column should hold on average, and most before it is cut along the sweep axis. */
static const double COLUMN_LEAST = 256.0;
static const double CELL_MOST = 2048.0;
/* Cells in all: eight codes each must stay exact in float. */
static const double CELLS_MOST = 262144.0;
/* Cells along one axis: more, and rounding in the column map could pass WIDEST_MARGIN. */
static const double AXIS_CELLS_MOST = 16384.0;
/* Ranges outside these, in the caller's unit, are not split: the column map would overflow or underflow float, and a
 * box could then reach past the next cell. */
static const double LENGTH_LEAST = 1e-30;
static const double LENGTH_MOST = 1e38;
/* Share of the sample left out at each end of an axis, and how far beyond what remains, as a share of its range, the
 * cells still reach: bodies farther out are outliers. */
enum { TRIM_DIVISOR = 128, TRIM_MOST = CAROM_SAMPLE_MAX / TRIM_DIVISOR };
static const double REACH = 0.25;

/* The (trim + 1)-th smallest of sign * value. */
static double trimmed_least(const double *value, uint32_t count, uint32_t trim, double sign) {
    double least[TRIM_MOST + 1] = {0.0};
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        double x = sign * value[n];
        if (kept > trim && !(x < least[trim])) {
            continue;
        }
        uint32_t at = kept > trim ? trim : kept++;
        for (; at > 0 && x < least[at - 1]; at--) {
            least[at] = least[at - 1];
        }
        least[at] = x;
    }
    return least[trim];
}

static double clamp(double x, double lo, double hi) {
    return fmin(fmax(x, lo), hi);
}

static double clamped_variance(const double *value, uint32_t count, double lo, double hi) {
    double mean = 0.0;
    double squares = 0.0;
    for (uint32_t n = 0; n < count; n++) {
        mean += clamp(value[n], lo, hi) / count;
    }
    for (uint32_t n = 0; n < count; n++) {
        double from_mean = clamp(value[n], lo, hi) - mean;
        squares += from_mean * from_mean;
    }
    return squares / count;
}

static double mean_of(const double *value, uint32_t count) {
    double sum = 0.0;
    for (uint32_t n = 0; n < count; n++) {
        sum += value[n];
    }
    return sum / count;
}

void carom_plan_statistics(const carom_sample *sample, carom_axis_statistics statistics[3]) {
    uint32_t count = sample->count;
    uint32_t trim = count / TRIM_DIVISOR;
    for (int a = 0; a < 3; a++) {
        double lo = trimmed_least(sample->centre[a], count, trim, 1.0);
        double hi = -trimmed_least(sample->centre[a], count, trim, -1.0);
        statistics[a] = (carom_axis_statistics){.lo = lo,
                                                .hi = hi,
                                                .variance = clamped_variance(sample->centre[a], count, lo, hi),
                                                .mean_extent = mean_of(sample->extent[a], count)};
    }
}

/* What the cells of an axis cover, relative to the centre: all bodies, or those that are no outliers. */
typedef struct range {
    double lo;
    double hi;
} range;

static range choose_range(const carom_axis_statistics *statistics, const carom_survey *survey, int a, double centre) {
    double lo = statistics->lo - centre;
    double hi = statistics->hi - centre;
    double reach = REACH * (hi - lo);
    return (range){fmax((double)survey->lo[a], lo - reach), fmin((double)survey->hi[a], hi + reach)};
}

static uint32_t widest_variance(const carom_axis_statistics statistics[3]) {
    uint32_t axis = 0;
    for (uint32_t a = 1; a < 3; a++) {
        axis = statistics[a].variance > statistics[axis].variance ? a : axis;
    }
    return axis;
}

/* How many cells no narrower than `width` fit the range; 1 where the numbers are not fit to divide. */
static double cells_across(double length, double width) {
    if (!(length >= LENGTH_LEAST && length <= LENGTH_MOST)) {
        return 1.0;
    }
    double cells = floor(length / width);
    return cells >= 1.0 ? fmin(cells, AXIS_CELLS_MOST) : 1.0;
}

static double least_width(double extents, double mean, double widest) {
    double width = extents * mean;
    return width > widest * WIDEST_MARGIN ? width : widest * WIDEST_MARGIN;
}

/* Columns along the two axes across the sweep, no more in all than `most`. */
static void choose_columns(const double length[3], const double width[3], uint32_t sweep, double most,
                           double cells[3]) {
    uint32_t y = (sweep + 1) % 3;
    uint32_t z = (sweep + 2) % 3;
    cells[y] = cells_across(length[y], width[y]);
    cells[z] = cells_across(length[z], width[z]);
    if (cells[y] * cells[z] > most) {
        double shrink = sqrt(most / (cells[y] * cells[z]));
        uint32_t fewer = cells[y] < cells[z] ? y : z;
        uint32_t more = fewer == y ? z : y;
        cells[fewer] = fmax(1.0, floor(cells[fewer] * shrink));
        cells[more] = fmax(1.0, fmin(cells[more], floor(most / cells[fewer])));
    }
}

static void choose_cells(uint64_t count, const carom_axis_statistics statistics[3], const carom_survey *survey,
                         const range covered[3], uint32_t sweep, double cells[3]) {
    double length[3];
    double width[3];
    for (uint32_t a = 0; a < 3; a++) {
        double extents = a == sweep ? PIECE_EXTENTS : COLUMN_EXTENTS;
        length[a] = covered[a].hi - covered[a].lo;
        width[a] = least_width(extents, statistics[a].mean_extent, (double)survey->extent[a]);
    }
    double most = fmin(fmax(1.0, (double)count / COLUMN_LEAST), CELLS_MOST);
    choose_columns(length, width, sweep, most, cells);
    double columns = cells[(sweep + 1) % 3] * cells[(sweep + 2) % 3];
    double pieces = floor((double)count / (columns * CELL_MOST));
    cells[sweep] =
        fmax(1.0, fmin(fmin(pieces, cells_across(length[sweep], width[sweep])), floor(CELLS_MOST / columns)));
}

/* Strides, straddle bits and the map of each axis; the sweep axis runs fastest. */
static void lay_out(carom_plan *plan, const range covered[3], const double cells[3]) {
    carom_grid *grid = &plan->grid;
    uint32_t stride = 1;
    for (uint32_t s = 0; s < 3; s++) {
        uint32_t a = (plan->sweep_axis + s) % 3;
        grid->columns[a] = (uint32_t)cells[a];
        grid->origin[a] = (float)covered[a].lo;
        grid->scale[a] = grid->columns[a] > 1 ? (float)(cells[a] / (covered[a].hi - covered[a].lo)) : 0.0F;
        grid->last[a] = (float)(grid->columns[a] - 1);
        plan->stride[a] = stride;
        stride *= grid->columns[a];
        if (grid->columns[a] > 1) {
            plan->bit[a] = UINT32_C(1) << plan->bits;
            plan->bits++;
        }
    }
    for (uint32_t a = 0; a < 3; a++) {
        grid->cell_weight[a] = (float)(plan->stride[a] << plan->bits);
        grid->bit_weight[a] = (float)plan->bit[a];
    }
    plan->cell_count = stride;
    plan->code_count = stride << plan->bits;
}

void carom_plan_make(uint64_t count, const carom_axis_statistics statistics[3], const carom_survey *survey,
                     const double centre[3], carom_plan *plan) {
    memset(plan, 0, sizeof *plan);
    plan->sweep_axis = widest_variance(statistics);
    memcpy(plan->grid.centre, centre, sizeof plan->grid.centre);
    range covered[3];
    double cells[3];
    for (int a = 0; a < 3; a++) {
        covered[a] = choose_range(&statistics[a], survey, a, centre[a]);
    }
    choose_cells(count, statistics, survey, covered, plan->sweep_axis, cells);
    lay_out(plan, covered, cells);
    plan->sweep_lo = (float)covered[plan->sweep_axis].lo;
    plan->sweep_hi = (float)covered[plan->sweep_axis].hi;
}
