/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a periodic box, some at a time, in loops over arrays that any compiler turns into vector code. */
#ifndef CAROM_STEP_IMAGE_BLOCK_H
#define CAROM_STEP_IMAGE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/step/lattice.h"

enum { CAROM_IMAGE_BLOCK = 64, CAROM_BODY_FIELDS = 7 };

/* Boxes of the lattice a body may be away from the origin. Shifts of a pair are sums of two such numbers and of what an
 * image is away from its body, and must fit 32 bits. */
#define CAROM_WRAP_MOST 1e9

/* Bodies: prev, curr, radius; their boxes; the boxes' ranges in the lattice, 0 where space is open. The functions work
 * on whole blocks: after `count` bodies the first may stand again. */
typedef struct carom_image_block {
    uint32_t count;
    double field[CAROM_BODY_FIELDS][CAROM_IMAGE_BLOCK];
    double low[3][CAROM_IMAGE_BLOCK];
    double high[3][CAROM_IMAGE_BLOCK];
    double lo[3][CAROM_IMAGE_BLOCK];
    double hi[3][CAROM_IMAGE_BLOCK];
} carom_image_block;

/* low and high: min and max of prev and curr, less and plus the radius. */
void carom_image_block_boxes(carom_image_block *block);

/* Where the boxes begin in the lattice, and where they end: from low and high. */
void carom_image_block_lows(const carom_lattice *lattice, carom_image_block *block);
void carom_image_block_highs(const carom_lattice *lattice, carom_image_block *block);

/* The cell each body starts in, as numbers of the caller's edges: infinite or not a number if it is too far away.
 * False if all are 0. */
bool carom_image_block_wraps(const carom_lattice *lattice, const carom_image_block *block,
                             double number[3][CAROM_IMAGE_BLOCK]);

/* Takes `count` bodies from the cells that wrap says to the first one; those left after them, as the first body. */
void carom_image_block_move(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_block *block);

/* The least, or greatest, of a block's values and *value. */
void carom_image_block_least(const double x[CAROM_IMAGE_BLOCK], double *value);
void carom_image_block_greatest(const double x[CAROM_IMAGE_BLOCK], double *value);

#endif
