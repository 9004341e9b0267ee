/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a worker needs to answer pairs of bodies with shapes: the blocks that go through the kernels. */
#ifndef CAROM_DETECT_SHAPED_SHAPE_WORK_H
#define CAROM_DETECT_SHAPED_SHAPE_WORK_H

#include "kernel/narrow/body.h"
#include "kernel/narrow/many.h"
#include "kernel/narrow/rounds.h"

/* A block of pairs: which are at rest, and their bodies. */
typedef struct carom_shape_resting {
    uint32_t count;
    uint32_t pair[CAROM_MANY_PAIRS]; /* their numbers in the block */
    uint32_t i[CAROM_MANY_PAIRS];
    uint32_t k[CAROM_MANY_PAIRS];
    double by[CAROM_MANY_PAIRS][3]; /* what bodies k are moved by */
    uint64_t alone; /* bit n: pair n of the block is not answered together with others */
} carom_shape_resting;

/* A pair of the caller's bodies, and what he says of them. */
typedef struct carom_shape_two {
    carom_body_numbers i;
    carom_body_numbers k;
    const carom_shape_entry *shape_i;
    const carom_shape_entry *shape_k;
    uint32_t searched[2]; /* the lower number first; in a periodic box of owned bodies and images */
    uint32_t body_i;      /* the caller's; not above body_k */
    uint32_t body_k;
    double by[3]; /* of body k: the sum of the edges that it is moved by */
} carom_shape_two;

/* Bytes of a pose or a path at most. */
enum { CAROM_SHAPE_ROW_BYTES = 64 };

/* Pairs that boxes may prove to be apart: which rows, of poses or paths, both bodies have. In a periodic box the rows are
 * copies, of where the two meet. */
typedef struct carom_shape_boxed {
    _Alignas(CAROM_SHAPE_ROW_BYTES) char rows[2 * CAROM_MANY_PAIRS * CAROM_SHAPE_ROW_BYTES];
    uint32_t i[CAROM_MANY_PAIRS];
    uint32_t k[CAROM_MANY_PAIRS];
    uint32_t kept[CAROM_MANY_PAIRS + CAROM_SIMD_PAD];
} carom_shape_boxed;

typedef struct carom_shape_work {
    carom_shape_boxed boxed;
    carom_shape_two two; /* the pair that is answered alone */
    carom_shape_resting resting;
    carom_many many;                    /* pairs at rest */
    carom_rounds rounds;                /* pairs that move */
    uint32_t pair[CAROM_MANY_PAIRS];    /* of each of the rounds' pairs: its number in the block */
    double origin[CAROM_MANY_PAIRS][3]; /* likewise: what its points are relative to */
} carom_shape_work;

#endif
