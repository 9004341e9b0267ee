/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that follow each other in the caller's arrays, as columns of doubles. */
#ifndef CAROM_NARROW_COLUMNS_H
#define CAROM_NARROW_COLUMNS_H

#include "simd/pair_block.h"
#include "simd/swept.h"

typedef struct carom_columns_bodies {
    carom_block_side side;
    double reach[CAROM_BLOCK_ROOM];
    uint32_t number[CAROM_BLOCK_PAIRS]; /* of the shape; 0 if it is not there */
    carom_block_motion motion; /* of bodies that move */
} carom_columns_bodies;

#endif
