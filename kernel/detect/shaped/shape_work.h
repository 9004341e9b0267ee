/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a worker needs to answer pairs of bodies with shapes: the blocks that go through the kernels. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_WORK_H
#define CAROM_DETECT_SHAPED_SHAPE_WORK_H

#include "kernel/narrow/many.h"
#include "kernel/narrow/rounds.h"

/* A block of pairs: which are at rest, and their bodies. */
typedef struct carom_shape_resting {
    uint32_t count;
    uint32_t pair[CAROM_MANY_PAIRS]; /* their numbers in the block */
    uint32_t i[CAROM_MANY_PAIRS];
    uint32_t k[CAROM_MANY_PAIRS];
    uint64_t alone; /* bit n: pair n of the block is not answered together with others */
} carom_shape_resting;

typedef struct carom_shape_work {
    carom_shape_resting resting;
    carom_many many;                    /* pairs at rest */
    carom_rounds rounds;                /* pairs that move */
    uint32_t pair[CAROM_MANY_PAIRS];    /* of each of the rounds' pairs: its number in the block */
    double origin[CAROM_MANY_PAIRS][3]; /* likewise: what its points are relative to */
} carom_shape_work;

#endif
