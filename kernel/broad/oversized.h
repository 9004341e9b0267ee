/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Oversized bodies are too wide for the cells. They visit every cell that their box reaches: each cell has a list of
 * visits. In the cell a visiting body is an entry like the others; it carries one `earlier` bit for each axis on which
 * its low corner lies in an earlier column. The lists are counted, scanned, filled and sorted by cell with a stable
 * sort, so they are the same for any number of workers. */
#ifndef CAROM_BROAD_OVERSIZED_H
#define CAROM_BROAD_OVERSIZED_H

#include <stdint.h>

/* A visit: the number of the oversized body, and its `earlier` bits above that. */
#define CAROM_VISIT_NUMBER UINT32_C(0x1FFFFFFF)
enum { CAROM_VISIT_SHIFT = 29 };

typedef struct carom_oversized {
    uint32_t first;        /* record of the first oversized body; the others follow */
    uint32_t count;        /* how many there are */
    const float *low;      /* low corner of each on the sweep axis */
    const uint32_t *start; /* first visit to each cell; cell_count + 1 */
    const uint32_t *visit; /* by cell */
} carom_oversized;

/* Arrays that the caller makes large enough: low has one entry an oversized body, start cell_count + 1, cell, visit and
 * their spares one a visit. */
typedef struct carom_visit_workspace {
    float *low;
    uint32_t *start;
    uint32_t *cell;
    uint32_t *visit;
    uint32_t *spare_cell;
    uint32_t *spare_visit;
    uint64_t *visits; /* of each worker: filled by the count */
} carom_visit_workspace;

#endif
