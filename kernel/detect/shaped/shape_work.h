/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a worker needs to answer pairs of bodies with shapes: the blocks that go through the kernels. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_WORK_H
#define CAROM_DETECT_SHAPED_SHAPE_WORK_H

#include "kernel/narrow/many.h"
#include "kernel/narrow/rounds.h"

typedef struct carom_shape_work {
    carom_many many;                    /* pairs at rest */
    carom_rounds rounds;                /* pairs that move */
    uint32_t pair[CAROM_MANY_PAIRS];    /* of each of the rounds' pairs: its number in the block */
    double origin[CAROM_MANY_PAIRS][3]; /* likewise: what its points are relative to */
} carom_shape_work;

#endif
