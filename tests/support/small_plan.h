/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A plan of levels, written out by hand: 4 x 3 x 2 cells of side 1 from the origin on, swept along y. */
#ifndef CAROM_TESTS_SMALL_PLAN_H
#define CAROM_TESTS_SMALL_PLAN_H

#include "kernel/broad/plan.h"

static const carom_plan small_plan = {
    .grid = {.columns = {4, 3, 2},
             .scale = {1.0F, 1.0F, 1.0F},
             .last = {3.0F, 2.0F, 1.0F},
             .cell_weight = {6.0F * 8.0F, 8.0F, 3.0F * 8.0F},
             .bit_weight = {4.0F, 1.0F, 2.0F},
             .wide = {0.9F, 0.9F, 0.9F},
             .wide_code = 192.0F},
    .method = CAROM_METHOD_LEVELS,
    .sweep_axis = 1,
    .stride = {6, 1, 3},
    .bit = {4, 1, 2},
    .bits = 3,
    .cell_count = 24,
    .wide_code = 192,
    .code_count = 193,
    .sweep_hi = 3.0F,
};

#endif
