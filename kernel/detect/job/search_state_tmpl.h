/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The state of the search, which parts, cells and pairs share. */
#ifndef CAROM_DETECT_JOB_SEARCH_STATE_TMPL_H
#define CAROM_DETECT_JOB_SEARCH_STATE_TMPL_H

#include "kernel/detect/job/part_tmpl.h"

/* What the search of a scene shares among its files. */
typedef struct carom_search_state {
    const double *given_centre;              /* boxes are relative to this; NULL: the survey chooses */
    double centre[3];                        /* the centre in use */
    bool swept;                              /* cells are to be swept: that takes less memory */
    carom_record *records;                   /* of the scene, by slot; valid until the next call */
    const carom_part *part;                  /* the part whose cells the workers search */
    const carom_cell_workspace *shared_cell; /* the only cell of that part, if all workers sweep it; else NULL */
    uint64_t entries;                        /* boxes in all cells so far; a box that straddles counts in each */
} carom_search_state;

#endif
