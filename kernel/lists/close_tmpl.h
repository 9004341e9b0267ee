/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs that floats do not decide. In: what the kernels found. Out: their bits, and the lengths of rows, exactly. */
#ifndef CAROM_LISTS_CLOSE_TMPL_H
#define CAROM_LISTS_CLOSE_TMPL_H

#include "kernel/lists/job_tmpl.h"

/* What the kernels found of a cell's bodies. */
typedef struct carom_lists_hits {
    uint16_t *bits;
    uint32_t *length;
} carom_lists_hits;

#define carom_lists_decide_open CAROM_REAL(carom_lists_decide_open)

/* Decides anew all close pairs of a body, for which the kernels may have erred; the keys of candidates are there. body:
 * which of the cell's. */
void carom_lists_decide_open(const carom_lists_job *job, const carom_hits_in *in,
                             const carom_lists_candidates *candidates, uint32_t body, const carom_lists_hits *hits);

#endif
