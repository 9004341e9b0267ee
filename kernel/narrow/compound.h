/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The pair of children of two shapes whose signed distance is least. A shape that is no compound is its own child. */
#ifndef CAROM_NARROW_COMPOUND_H
#define CAROM_NARROW_COMPOUND_H

#include "kernel/narrow/gap.h"

typedef struct carom_nearest {
    carom_gap gap;   /* normal and points of the two children; bracket of the whole; iterations of all searches */
    carom_posed i;   /* the two children */
    carom_posed k;   /* likewise */
    double distance; /* of these two, within their bracket */
    uint32_t child_i;
    uint32_t child_k;
} carom_nearest;

/* Of pairs whose distances are equal, the one with the least child_i, then the least child_k. With detail STATE
 * searches end as soon as the state is known. Takes c_i + c_k log c_k steps for compounds of c_i and c_k children that are
 * apart, more the more of them overlap or are as near as the nearest. */
void carom_nearest_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_nearest *nearest);

#endif
