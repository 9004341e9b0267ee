/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Oversized bodies: those whose boxes are wider than the plan allows for a cell.
 *
 * In: their records, which the partition has put behind all others. Out: for each cell a list of visits, the oversized
 * bodies whose boxes reach it. In the cell a visiting body is an entry like any other, with its `earlier` bits
 * (cell.h).
 *
 * Such a body is listed in many cells instead of one, but the cells stay small for all other bodies. The lists are one
 * array sorted by cell. The sort is stable and the visits enter it in the order of the bodies, so the lists are the
 * same for any number of workers. */
#ifndef CAROM_BROAD_OVERSIZED_H
#define CAROM_BROAD_OVERSIZED_H

#include <stdint.h>

#include "kernel/broad/plan.h"

/* One visit in a word: the number of the oversized body, 0 to count - 1, and its three `earlier` bits above that. */
#define CAROM_VISIT_NUMBER UINT32_C(0x1FFFFFFF)
enum { CAROM_VISIT_SHIFT = 29 };

/* The finished lists. */
typedef struct carom_oversized {
    uint32_t first;        /* record of the first oversized body; the others follow it */
    uint32_t count;        /* number of oversized bodies, at most CAROM_VISIT_NUMBER */
    const float *low;      /* low corner of each on the sweep axis, relative to the plan's centre */
    const uint32_t *start; /* first visit to each cell, and after the last cell the number of visits: cell_count + 1 */
    const uint32_t *visit; /* the visits, by cell and within a cell by body */
} carom_oversized;

/* What is wrong with finished lists; NULL if nothing is. */
const char *carom_oversized_validate(const carom_plan *plan, const carom_oversized *oversized);

/* Arrays that the caller makes large enough. */
typedef struct carom_visit_workspace {
    float *low;            /* one for each oversized body */
    uint32_t *start;       /* cell_count + 1 */
    uint32_t *cell;        /* cell of each visit: the sort's key */
    uint32_t *visit;       /* the visit itself: the sort's payload */
    uint32_t *spare_cell;  /* the sort's workspace: one for each visit */
    uint32_t *spare_visit; /* the same */
    uint64_t *visits;      /* one for each worker: number of its visits, then where they begin */
} carom_visit_workspace;

#endif
