/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs that floats decide (simd/quick_floats.h) where no more is asked than their state, and where searches in double
 * for other pairs of hulls start (simd/seek_floats.h). Single pairs and batches go through here first, so that their
 * bits agree. */
#ifndef CAROM_NARROW_QUICK_TMPL_H
#define CAROM_NARROW_QUICK_TMPL_H

#include <stdbool.h>

#include "kernel/narrow/body.h"
#include "kernel/narrow/gap.h"
#include "simd/precision.h"

#define carom_quick_is_asked CAROM_REAL(carom_quick_is_asked)
#define carom_quick_find CAROM_REAL(carom_quick_find)
#define carom_quick_pair CAROM_REAL(carom_quick_pair)
#define carom_quick_work CAROM_REAL(carom_quick_work)

enum { CAROM_QUICK_BODIES = 2 * CAROM_BLOCK_PAIRS };

/* Part of a batch. */
typedef struct carom_quick_work {
    carom_quick_gaps gaps;                     /* by places */
    uint32_t number[CAROM_BLOCK_PAIRS];        /* the pair at each place */
    bool has_starts;                           /* there may be hulls: */
    carom_seek_start start[CAROM_BLOCK_PAIRS]; /* of the search in double for the pair at each place */

    /* Work space: pairs in the order of places, and copies of bodies of the first pair, the second, ... */
    uint32_t body[2][CAROM_BLOCK_PAIRS];
    carom_real at[3][CAROM_QUICK_BODIES];
    carom_real turn[4][CAROM_QUICK_BODIES];
    uint32_t shape[CAROM_QUICK_BODIES];
    carom_quick_gaps part;
    carom_seek_pairs seek;
} carom_quick_work;

/* Whether a task asks no more than the state, of some pairs at least, or searches for hulls begin in floats. */
bool carom_quick_is_asked(const carom_shapes *shapes, const carom_gap_task *task);

/* For such a task, whose axes are those of the pairs. Of `count` pairs i[n], k[n], 1 to CAROM_BLOCK_PAIRS, finds those
 * of which all is known that the task asks: those in the sets apart and touching of work->gaps, by their places; and
 * where searches for the others start. Bodies have shapes; pairs that are not valid are in no set. */
void carom_quick_find(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                      const carom_gap_task *task, carom_quick_work *work);

/* The same for one pair of valid bodies, and any task: its place is 0. Without a search, start->steps is 0. */
void carom_quick_pair(const carom_shapes *shapes, const carom_body_numbers *i, const carom_body_numbers *k,
                      const carom_gap_task *task, carom_quick_gaps *gaps, carom_seek_start *start);

#endif
