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

/* Pairs of bodies that move, of any cells, which wait to be decided together. */
enum { CAROM_LISTS_CLOSE = 256 };

typedef struct carom_lists_close {
    uint32_t slot_i[CAROM_LISTS_CLOSE + CAROM_SIMD_PAD]; /* whose row it is */
    uint32_t slot_k[CAROM_LISTS_CLOSE + CAROM_SIMD_PAD];
    uint32_t candidate[CAROM_LISTS_CLOSE];
    uint16_t *bits[CAROM_LISTS_CLOSE]; /* of the row */
    uint32_t count;
} carom_lists_close;

#define carom_lists_decide_open CAROM_REAL(carom_lists_decide_open)
#define carom_lists_note_close CAROM_REAL(carom_lists_note_close)
#define carom_lists_decide_close CAROM_REAL(carom_lists_decide_close)

/* Decides anew all pairs of a body at rest for which the kernel `cell_hits` may have erred. body: which of the cell's.
 */
void carom_lists_decide_open(const carom_lists_job *job, const carom_hits_in *in, const uint32_t *key, uint32_t body,
                             const carom_lists_hits *hits);

/* Takes the close candidates that the kernel `moving_hits` found for a body of the cell. Those that touch have bits and
 * count after carom_lists_decide_close, which may be called here, too. */
void carom_lists_note_close(const carom_lists_job *job, const carom_hits_in *in,
                            const carom_lists_candidates *candidates, uint32_t body, const carom_lists_hits *hits,
                            carom_lists_close *close);
void carom_lists_decide_close(const carom_lists_job *job, carom_lists_close *close);

#endif
