/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Times of impact of a block of pairs, look by look: the same bits as carom_toi_find, with pairs of the same two kinds
 * side by side in vectors. */
#ifndef CAROM_NARROW_ROUNDS_H
#define CAROM_NARROW_ROUNDS_H

#include "kernel/narrow/advance.h"

/* Pairs in a block: so many that a round has few lanes without a pair. */
enum { CAROM_ROUNDS_PAIRS = 128 };

/* A pair and its search. The search points to the rest, so it must not be copied. */
typedef struct carom_rounds_pair {
    carom_moving body[2]; /* i and k, no compounds */
    carom_approach approach;
    carom_advance search; /* its `found` is the answer */
} carom_rounds_pair;

typedef struct carom_rounds {
    uint32_t count; /* pairs, at most CAROM_ROUNDS_PAIRS */
    carom_rounds_pair pair[CAROM_ROUNDS_PAIRS];

    /* Work space: the pairs whose search goes on, by their kinds, and what they look at. */
    uint32_t active;
    uint32_t number[CAROM_ROUNDS_PAIRS];
    carom_posed i[CAROM_ROUNDS_PAIRS];
    carom_posed k[CAROM_ROUNDS_PAIRS];
    carom_goal goal[CAROM_ROUNDS_PAIRS];
    carom_bracket bracket[CAROM_ROUNDS_PAIRS];

    carom_aim aim[CAROM_ROUNDS_PAIRS];
    bool goes_on[CAROM_ROUNDS_PAIRS];
    carom_epa_room room;
} carom_rounds;

/* Answers the pairs. */
void carom_rounds_find(carom_rounds *rounds, const carom_toi_task *task);

#endif
