/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a plan. Out: NULL, or what is wrong with it. The codes kernel reads the grid, which holds floats; everybody else
 * reads the integers of the plan. A body is lost where the two disagree. */
#include <math.h>

#include "kernel/broad/plan.h"

/* Codes at and above this are no longer exact as float. */
static const double CODES_MOST = 0x1p24;

static const char *check_method(const carom_plan *plan) {
    if (plan->method <= CAROM_METHOD_AUTO || plan->method > CAROM_METHOD_SHARED) {
        return "the method is none of sweep, cells, levels and shared";
    }
    if ((plan->method == CAROM_METHOD_SWEEP) != (plan->cell_count == 1)) {
        return "a sweep has more than one cell, or another method has only one";
    }
    if (plan->method != CAROM_METHOD_SWEEP && plan->leading > 0) {
        return "bodies lead in a method that is no sweep";
    }
    if (plan->method != CAROM_METHOD_CELLS && plan->adjacent) {
        return "cells are adjacent in a method that has none";
    }
    if (plan->sweep_axis > 2) {
        return "the sweep axis is none of the three";
    }
    return plan->sweep_lo > plan->sweep_hi ? "the range on the sweep axis ends before it begins" : NULL;
}

/* The map of one axis. An axis that is not split has one column, and nobody asks for its map. */
static const char *check_axis(const carom_plan *plan, uint32_t axis) {
    const carom_grid *grid = &plan->grid;
    if (grid->columns[axis] == 0 || grid->last[axis] != (float)(grid->columns[axis] - 1)) {
        return "the last column of an axis is not its number of columns less one";
    }
    if (!isfinite(grid->centre[axis])) {
        return "the centre is not finite";
    }
    if (grid->columns[axis] > 1 &&
        !(isfinite(grid->origin[axis]) && grid->scale[axis] > 0.0F && isfinite(grid->scale[axis]))) {
        return "the map of a split axis is not finite or has no width";
    }
    return NULL;
}

/* The sweep axis runs fastest, then the two after it. Each split axis has the next straddle bit. */
static const char *check_strides(const carom_plan *plan) {
    uint64_t cells = 1;
    uint32_t bits = 0;
    for (uint32_t s = 0; s < 3; s++) {
        uint32_t axis = (plan->sweep_axis + s) % 3;
        bool split = plan->grid.columns[axis] > 1 && !plan->adjacent;
        if (plan->stride[axis] != cells) {
            return "the stride of an axis is not the product of the columns before it";
        }
        if (plan->bit[axis] != (split ? UINT32_C(1) << bits : 0)) {
            return "the straddle bit of an axis is not the next free one, or an axis that needs none has one";
        }
        cells *= plan->grid.columns[axis];
        bits += split;
    }
    if (plan->bits != bits) {
        return "the number of straddle bits is not the number of axes that need one";
    }
    return plan->cell_count != cells ? "the number of cells is not the product of the columns" : NULL;
}

static const char *check_codes(const carom_plan *plan) {
    if ((double)plan->cell_count * (double)(UINT32_C(1) << plan->bits) >= CODES_MOST) {
        return "there are more codes than float holds exactly";
    }
    if (plan->wide_code != plan->cell_count << plan->bits || plan->code_count != plan->wide_code + 1) {
        return "the code of oversized bodies is not the one after all cells' codes";
    }
    bool same = plan->grid.wide_code == (float)plan->wide_code;
    for (uint32_t a = 0; a < 3; a++) {
        same = same && plan->grid.cell_weight[a] == (float)(plan->stride[a] << plan->bits) &&
               plan->grid.bit_weight[a] == (float)plan->bit[a];
    }
    return same ? NULL : "the grid's weights are not those of the plan's strides and bits";
}

/* Which bodies the method takes for oversized: none, some, or all. */
static const char *check_limits(const carom_plan *plan) {
    for (uint32_t a = 0; a < 3; a++) {
        const float wide = plan->grid.wide[a];
        if ((plan->method == CAROM_METHOD_CELLS && wide != INFINITY) ||
            (plan->method == CAROM_METHOD_LEVELS && !(wide > 0.0F && wide < INFINITY)) ||
            (plan->method == CAROM_METHOD_SHARED && !(wide < 0.0F))) {
            return "the width from which bodies are oversized is not that of the method";
        }
    }
    return NULL;
}

const char *carom_plan_validate(const carom_plan *plan) {
    const char *reason = check_method(plan);
    for (uint32_t a = 0; a < 3 && reason == NULL; a++) {
        reason = check_axis(plan, a);
    }
    reason = reason == NULL ? check_strides(plan) : reason;
    reason = reason == NULL ? check_codes(plan) : reason;
    return reason == NULL ? check_limits(plan) : reason;
}
