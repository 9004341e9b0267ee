/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distances of a block of pairs: the same bits as carom_gap_find, with pairs of the same two kinds side by side in
 * vectors. */
#ifndef CAROM_NARROW_MANY_H
#define CAROM_NARROW_MANY_H

#include "kernel/narrow/gap.h"

/* Pairs in a block. */
enum { CAROM_MANY_PAIRS = 64 };

typedef struct carom_many carom_many;

struct carom_many {
    uint32_t count;                  /* pairs, at most CAROM_MANY_PAIRS */
    carom_posed i[CAROM_MANY_PAIRS]; /* no compounds */
    carom_posed k[CAROM_MANY_PAIRS];
    carom_gap gap[CAROM_MANY_PAIRS]; /* the answers */

    /* Work space: the pairs that are searched for, by their kinds. */
    uint32_t number[CAROM_MANY_PAIRS];
    carom_posed sorted_i[CAROM_MANY_PAIRS];
    carom_posed sorted_k[CAROM_MANY_PAIRS];
    carom_goal goal[CAROM_MANY_PAIRS];
    carom_bracket bracket[CAROM_MANY_PAIRS];
};

/* Answers the pairs. */
void carom_many_find(carom_many *many, const carom_gap_task *task);

#endif
