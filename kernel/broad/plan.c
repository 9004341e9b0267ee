/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The plan is found by trying: every method that is possible, with several widths of cells, goes through the cost
 * model, and the cheapest layout wins. That is some hundred evaluations of a short formula, whatever the number of
 * bodies. */
#include "kernel/broad/plan.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/broad/cost.h"
#include "kernel/check/assert.h"

/* Widths of a column that are tried, in mean boxes. In wider columns the sweep passes more boxes that do not overlap;
 * narrower ones borrow more bodies from one another. */
static const double COLUMN_EXTENTS[] = {2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.5, 8.0};
enum { COLUMN_WIDTHS = sizeof COLUMN_EXTENTS / sizeof COLUMN_EXTENTS[0] };
/* Least width of a piece along the sweep axis, in mean boxes. There width costs nothing, but each border costs
 * borrowing. */
static const double PIECE_EXTENTS = 8.0;
/* Cells are at least this many times as wide as the widest box: covers the rounding of the column map. */
static const double WIDEST_MARGIN = 1.02;
/* Fewest bodies that a column should hold on average, and most that it holds before it is cut along the sweep axis. */
static const double COLUMN_LEAST = 256.0;
static const double CELL_MOST = 2048.0;
/* Adjacent cells hold at least so many bodies on average. Widths are tried in steps of this factor: so many that give
 * no more cells than may be, in so many rounds. */
static const double ADJACENT_LEAST = 2.0;
static const double ADJACENT_STEP = 1.26;
enum { ADJACENT_WIDTHS = 4, ADJACENT_ROUNDS = 40 };
/* With fewer cells most are at the border. */
static const double ADJACENT_CELLS = 64.0;
/* Cells in all: a cell has up to eight codes, and all codes must be exact in float. */
static const double CELLS_MOST = CAROM_PLAN_CELLS_MOST;
/* Cells along one axis: with more, rounding in the column map could exceed WIDEST_MARGIN. */
static const double AXIS_CELLS_MOST = 16384.0;
/* Ranges outside these, in the caller's unit, are not split: the column map would overflow or underflow float, and a
 * box could then reach past the next cell. */
static const double LENGTH_LEAST = 1e-30;
static const double LENGTH_MOST = 1e38;
/* The cells reach beyond the trimmed sample on either side by this share of its range. Bodies farther out are outliers.
 */
static const double REACH = 0.25;
/* A census is worth its pass over the bodies if the widest box is this many mean boxes wide, and if cells of that width
 * would cost more time than the pass: so many nanoseconds, and so many for each body. */
static const double CENSUS_RATIO = 2.5;
static const double CENSUS_NS = 20000.0;
static const double CENSUS_BODY_NS = 1.5;
/* Oversized bodies are fewer: in a visit a body's number shares a word with three bits. */
static const double WIDE_MOST = 536870912.0;

/* What the cells of an axis cover, relative to the centre: all bodies, or those that are no outliers. */
typedef struct range {
    double lo;
    double hi;
} range;

/* One way to lay out the cells. */
typedef struct layout {
    carom_method method;
    double cells[3];  /* whole numbers, at least 1 */
    double limit;     /* wider bodies are oversized; INFINITY: none is, -1: all are */
    uint64_t leading; /* of a sweep, or 0 */
    bool adjacent;    /* of CELLS: not swept */
    double cost;      /* predicted, in nanoseconds */
    double mean[3];   /* mean box of the bodies that are not oversized */
} layout;

/* The range of the trimmed sample, somewhat extended, but no more than the range of all bodies. */
static range choose_range(const carom_plan_input *input, int a) {
    const carom_axis_statistics *statistics = &input->statistics[a];
    double lo = statistics->lo - input->centre[a];
    double hi = statistics->hi - input->centre[a];
    double reach = REACH * (hi - lo);
    return (range){fmax((double)input->survey->lo[a], lo - reach), fmin((double)input->survey->hi[a], hi + reach)};
}

/* How many cells at least `width` wide fit into a length; 1 if the length must not be split. */
static double cells_across(double length, double width) {
    if (!(length >= LENGTH_LEAST && length <= LENGTH_MOST)) {
        return 1.0;
    }
    double cells = floor(length / width);
    return cells >= 1.0 ? fmin(cells, AXIS_CELLS_MOST) : 1.0;
}

/* Columns on the two axes across the sweep, at most `most` in all. If there were more, both numbers shrink alike. */
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

/* Cells for a scene, in columns `extents` mean boxes wide and no cell narrower than `least`. Columns come first: they
 * spare the sweep tests, pieces only keep cells small enough for the cache. */
static void choose_cells(const carom_cost_scene *scene, double extents, const double least[3], double cells[3]) {
    uint32_t sweep = scene->sweep_axis;
    double width[3];
    for (uint32_t a = 0; a < 3; a++) {
        width[a] = fmax((a == sweep ? fmax(extents, PIECE_EXTENTS) : extents) * scene->extent[a], least[a]);
    }
    double most = fmin(fmax(1.0, scene->count / COLUMN_LEAST), CELLS_MOST);
    choose_columns(scene->length, width, sweep, most, cells);
    double columns = cells[(sweep + 1) % 3] * cells[(sweep + 2) % 3];
    double pieces = floor(scene->count / (columns * CELL_MOST));
    double room = fmin(cells_across(scene->length[sweep], width[sweep]), floor(CELLS_MOST / columns));
    cells[sweep] = fmax(1.0, fmin(pieces, room));
}

/* The best layout so far, and what others are judged by. */
typedef struct chooser {
    const carom_plan_input *input;
    carom_method wanted;    /* AUTO: any */
    carom_cost_scene scene; /* all bodies */
    double widest;          /* widest side of all boxes */
    layout best;            /* its cost is INFINITY while no layout of the wanted method is possible */
} chooser;

static void consider(chooser *c, const layout *one) {
    if ((c->wanted == CAROM_METHOD_AUTO || one->method == c->wanted) && one->cost < c->best.cost) {
        c->best = *one;
    }
}

/* The sweep of all bodies, or of those that lead, whichever is cheaper. */
static layout cheaper_sweep(const chooser *c) {
    layout one = {.method = CAROM_METHOD_SWEEP, .cells = {1.0, 1.0, 1.0}, .limit = INFINITY};
    memcpy(one.mean, c->scene.extent, sizeof one.mean);
    one.cost = carom_cost_sweep(&c->scene, c->input->spread.overlap);
    if (c->input->leading > 0) {
        const double cost = carom_cost_leading(&c->scene, c->input->spread.overlap, (double)c->input->leading);
        one.leading = cost < one.cost ? c->input->leading : 0;
        one.cost = fmin(cost, one.cost);
    }
    return one;
}

/* A sweep is always possible, so it is the first to be the best. If another method is wanted, any cost is better. */
static void consider_sweep(chooser *c) {
    const layout one = cheaper_sweep(c);
    c->best = one;
    c->best.cost = c->wanted == CAROM_METHOD_AUTO ? one.cost : (double)INFINITY;
}

/* Cells for the narrow->count bodies up to `limit` wide: CELLS if these are all bodies, else LEVELS. */
static void consider_cells(chooser *c, const carom_cost_scene *narrow, double limit) {
    bool all = limit == (double)INFINITY;
    for (int w = 0; w < COLUMN_WIDTHS; w++) {
        layout one = {.method = all ? CAROM_METHOD_CELLS : CAROM_METHOD_LEVELS, .limit = limit};
        double least[3];
        for (int a = 0; a < 3; a++) {
            least[a] = fmin(limit, (double)c->input->survey->extent[a]) * WIDEST_MARGIN;
        }
        memcpy(one.mean, narrow->extent, sizeof one.mean);
        choose_cells(narrow, COLUMN_EXTENTS[w], least, one.cells);
        one.cost = carom_cost_grid(narrow, one.cells);
        if (!all) {
            one.cost += carom_cost_wide(narrow, one.cells, c->input->census, limit, c->widest);
        }
        consider(c, &one);
    }
}

/* Cells that are not swept, from the narrowest possible on. There should be enough of them that most are not at the
 * border. */
static void consider_adjacent(chooser *c) {
    const carom_plan_input *input = c->input;
    const double most = fmin(fmax(1.0, c->scene.count / ADJACENT_LEAST), CELLS_MOST);
    double wider = 1.0;
    int tried = 0;
    for (int round = 0; round < ADJACENT_ROUNDS && tried < ADJACENT_WIDTHS; round++, wider *= ADJACENT_STEP) {
        layout one = {.method = CAROM_METHOD_CELLS, .limit = INFINITY, .adjacent = true};
        for (int a = 0; a < 3; a++) {
            one.cells[a] = cells_across(c->scene.length[a], wider * WIDEST_MARGIN * (double)input->survey->extent[a]);
        }
        const double cells = one.cells[0] * one.cells[1] * one.cells[2];
        if (cells < ADJACENT_CELLS) {
            return;
        }
        if (cells <= most) {
            memcpy(one.mean, c->scene.extent, sizeof one.mean);
            one.cost = carom_cost_adjacent(&c->scene, one.cells);
            consider(c, &one);
            tried++;
        }
    }
}

/* Each limit of the census is tried. A level of more than half of the bodies is none: they are the ordinary ones. */
static void consider_levels(chooser *c) {
    const carom_census *census = c->input->census;
    for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
        double wide = (double)census->wider[l];
        if (wide < 1.0 || wide > 0.5 * c->scene.count || wide >= WIDE_MOST) {
            continue;
        }
        carom_cost_scene narrow = c->scene;
        narrow.count = c->scene.count - wide;
        carom_sample_extents(c->input->sample, (double)census->limit[l], narrow.extent);
        consider_cells(c, &narrow, (double)census->limit[l]);
    }
}

/* Cells may be narrower than the boxes here, down to an eighth of the mean one. */
static void consider_shared(chooser *c) {
    static const double no_width[3] = {0.0, 0.0, 0.0};
    if (c->scene.count >= WIDE_MOST) {
        return;
    }
    for (double extents = 0.125; extents <= 2.0; extents *= 2.0) {
        layout one = {.method = CAROM_METHOD_SHARED, .limit = -1.0};
        memcpy(one.mean, c->scene.extent, sizeof one.mean);
        choose_cells(&c->scene, extents, no_width, one.cells);
        double reached = carom_sample_reach(c->input->sample, c->scene.length, one.cells);
        one.cost = carom_cost_shared(&c->scene, one.cells, reached, c->input->spread.overlap);
        if (one.cells[0] * one.cells[1] * one.cells[2] > 1.0) {
            consider(c, &one);
        }
    }
}

/* Fills in strides, straddle bits and the map of each axis. The sweep axis runs fastest, so that cells that follow one
 * another along it lie next to one another in memory: they borrow from one another. */
static void lay_out(carom_plan *plan, const range covered[3], const layout *chosen) {
    carom_grid *grid = &plan->grid;
    uint32_t stride = 1;
    for (uint32_t s = 0; s < 3; s++) {
        uint32_t a = (plan->sweep_axis + s) % 3;
        double length = covered[a].hi - covered[a].lo;
        grid->columns[a] = (uint32_t)chosen->cells[a];
        grid->origin[a] = (float)covered[a].lo;
        grid->scale[a] = grid->columns[a] > 1 ? (float)(chosen->cells[a] / length) : 0.0F;
        grid->last[a] = (float)(grid->columns[a] - 1);
        grid->wide[a] = (float)fmin(chosen->limit, (double)INFINITY);
        plan->width[a] = length / chosen->cells[a] / chosen->mean[a];
        plan->stride[a] = stride;
        stride *= grid->columns[a];
        if (grid->columns[a] > 1 && !plan->adjacent) {
            plan->bit[a] = UINT32_C(1) << plan->bits;
            plan->bits++;
        }
    }
    for (uint32_t a = 0; a < 3; a++) {
        grid->cell_weight[a] = (float)(plan->stride[a] << plan->bits);
        grid->bit_weight[a] = (float)plan->bit[a];
    }
    plan->cell_count = stride;
    plan->wide_code = stride << plan->bits;
    plan->code_count = plan->wide_code + 1;
    grid->wide_code = (float)plan->wide_code;
}

static carom_cost_scene make_scene(const carom_plan_input *input, const range covered[3]) {
    carom_cost_scene scene = {
        .count = (double)input->count, .clustering = input->spread.clustering, .sweep_axis = input->spread.axis};
    for (int a = 0; a < 3; a++) {
        scene.length[a] = covered[a].hi - covered[a].lo;
        scene.extent[a] = input->statistics[a].mean_extent;
    }
    return scene;
}

/* The widest side of all boxes. */
static double widest_of(const carom_survey *survey) {
    return fmax(fmax((double)survey->extent[0], (double)survey->extent[1]), (double)survey->extent[2]);
}

/* Whether boxes are small enough for any grid. */
static bool lengths_fit(const carom_plan_input *input) {
    return widest_of(input->survey) <= LENGTH_MOST;
}

void carom_plan_make(const carom_plan_input *input, carom_plan *plan) {
    CAROM_ASSERT(input->count >= 1 && input->sample->count >= 1 && input->spread.axis < 3);
    CAROM_ASSERT(isfinite(input->centre[0]) && isfinite(input->centre[1]) && isfinite(input->centre[2]));
    range covered[3];
    for (int a = 0; a < 3; a++) {
        covered[a] = choose_range(input, a);
    }
    chooser c = {.input = input,
                 .wanted = input->method,
                 .scene = make_scene(input, covered),
                 .widest = widest_of(input->survey)};
    /* What a sweep would cost, whatever is chosen: carom_plan_explain shows it. */
    double alternative = carom_cost_sweep(&c.scene, input->spread.overlap);
    consider_sweep(&c);
    if (lengths_fit(input)) {
        if (input->census != NULL) {
            consider_levels(&c);
            consider_shared(&c);
        }
        /* A wanted method that is impossible for this scene gives way to plain cells. */
        bool impossible = c.wanted != CAROM_METHOD_SWEEP && c.best.cost == (double)INFINITY;
        c.wanted = impossible ? CAROM_METHOD_CELLS : c.wanted;
        consider_cells(&c, &c.scene, (double)INFINITY);
        if (!input->swept && input->leading == 0) {
            consider_adjacent(&c);
        }
    }
    memset(plan, 0, sizeof *plan);
    plan->sweep_axis = c.scene.sweep_axis;
    memcpy(plan->grid.centre, input->centre, sizeof plan->grid.centre);
    plan->adjacent = c.best.adjacent;
    lay_out(plan, covered, &c.best);
    plan->method = plan->cell_count == 1 ? CAROM_METHOD_SWEEP : c.best.method;
    plan->leading = (uint32_t)c.best.leading;
    plan->sweep_lo = (float)covered[plan->sweep_axis].lo;
    plan->sweep_hi = (float)covered[plan->sweep_axis].hi;
    plan->predicted = c.best.cost / c.scene.count;
    plan->alternative = alternative / c.scene.count;
    CAROM_VALIDATE(carom_plan_validate(plan));
}

/* Limits from `limit` up, each at least twice the one before and so far apart that they reach the widest box. */
static void set_limits(double limit, double widest, carom_census *census) {
    double steps = log2(fmax(widest / limit, 1.0)) / CAROM_CENSUS_LIMITS;
    double factor = exp2(fmax(1.0, steps));
    for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
        census->limit[l] = (float)fmin(limit, (double)FLT_MAX);
        limit *= factor;
    }
}

/* What is lost by cells as wide as the widest box, in ns: nothing where boxes are much alike. */
static double cost_of_width(const carom_plan_input *input) {
    carom_survey alike = *input->survey;
    carom_plan_input ideal = *input;
    carom_plan plan;
    double cost[2];
    for (int a = 0; a < 3; a++) {
        alike.extent[a] = fminf(alike.extent[a], (float)input->statistics[a].mean_extent);
    }
    ideal.survey = &alike;
    for (int n = 0; n < 2; n++) {
        carom_plan_make(n == 0 ? input : &ideal, &plan);
        cost[n] = plan.predicted;
    }
    return (cost[0] - cost[1]) * (double)input->count;
}

bool carom_plan_needs_census(const carom_plan_input *input, carom_census *census) {
    bool forced = input->method == CAROM_METHOD_LEVELS || input->method == CAROM_METHOD_SHARED;
    bool wide = false;
    for (int a = 0; a < 3; a++) {
        wide |= (double)input->survey->extent[a] > CENSUS_RATIO * input->statistics[a].mean_extent;
    }
    wide = wide && input->method == CAROM_METHOD_AUTO && lengths_fit(input);
    memset(census, 0, sizeof *census);
    if (!(forced && lengths_fit(input)) &&
        !(wide && cost_of_width(input) > CENSUS_NS + CENSUS_BODY_NS * (double)input->count)) {
        return false;
    }
    set_limits((forced ? 1.0 : 2.0) * carom_sample_median(input->sample), widest_of(input->survey), census);
    return true;
}

uint32_t carom_plan_column(const carom_plan *plan, uint32_t axis, float x) {
    const carom_grid *grid = &plan->grid;
    CAROM_ASSERT(axis < 3);
    float at = (x - grid->origin[axis]) * grid->scale[axis];
    at = at > 0.0F ? at : 0.0F;
    at = at < grid->last[axis] ? at : grid->last[axis];
    return (uint32_t)at;
}

const char *carom_plan_method_name(carom_method method) {
    static const char *const names[] = {[CAROM_METHOD_AUTO] = "auto",
                                        [CAROM_METHOD_SWEEP] = "sweep",
                                        [CAROM_METHOD_CELLS] = "cells",
                                        [CAROM_METHOD_LEVELS] = "levels",
                                        [CAROM_METHOD_SHARED] = "shared"};
    return (unsigned)method < sizeof names / sizeof names[0] ? names[method] : NULL;
}

void carom_plan_explain(const carom_plan *plan, bool asked, char *line, uint32_t size) {
    CAROM_ASSERT(carom_plan_method_name(plan->method) != NULL && size > 0);
    const char *name = carom_plan_method_name(plan->method);
    const char *how = asked ? "asked for, " : "";
    uint32_t x = plan->sweep_axis;
    if (plan->method == CAROM_METHOD_SWEEP) {
        char leading[48] = "";
        if (plan->leading > 0) {
            snprintf(leading, sizeof leading, ", its first %" PRIu32 " against all", plan->leading);
        }
        snprintf(line, size, "%s along %c: %sone cell%s, predicted %.0f ns a body", name, 'x' + (int)x, how, leading,
                 plan->predicted < (double)INFINITY ? plan->predicted : plan->alternative);
        return;
    }
    uint32_t y = (x + 1) % 3;
    uint32_t z = (x + 2) % 3;
    char limit[48] = "";
    if (plan->method == CAROM_METHOD_LEVELS) {
        snprintf(limit, sizeof limit, ", boxes over %.3g apart", (double)plan->grid.wide[0]);
    } else if (plan->adjacent) {
        snprintf(limit, sizeof limit, ", each with the adjacent ones");
    }
    snprintf(
        line, size,
        "%s along %c: %s%u x %u x %u cells of %.3g x %.3g x %.3g boxes%s, predicted %.0f ns a body (one sweep %.0f)",
        name, 'x' + (int)x, how, plan->grid.columns[x], plan->grid.columns[y], plan->grid.columns[z], plan->width[x],
        plan->width[y], plan->width[z], limit, plan->predicted, plan->alternative);
}
