/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a periodic box, some at a time, in loops over arrays that any compiler turns into vector code. */
#ifndef CAROM_PERIODIC_IMAGE_BATCH_H
#define CAROM_PERIODIC_IMAGE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/periodic/lattice.h"

enum { CAROM_IMAGE_BATCH = 64, CAROM_BODY_FIELDS = 7 };

/* Boxes of the lattice a body may be away from the origin. Shifts of a pair are sums of two such numbers and of what an
 * image is away from its body, and must fit 32 bits. */
#define CAROM_WRAP_MOST 1e9

/* Bodies: prev, curr, radius; their boxes; the boxes' ranges in the lattice, 0 where space is open. The functions work
 * on whole batches: after `count` bodies the first may stand again. */
typedef struct carom_image_batch {
    uint32_t count;
    double field[CAROM_BODY_FIELDS][CAROM_IMAGE_BATCH];
    double low[3][CAROM_IMAGE_BATCH];
    double high[3][CAROM_IMAGE_BATCH];
    double lo[3][CAROM_IMAGE_BATCH];
    double hi[3][CAROM_IMAGE_BATCH];
} carom_image_batch;

/* low and high: min and max of prev and curr, less and plus the radius. */
void carom_image_batch_boxes(carom_image_batch *batch);

/* Where the boxes begin in the lattice, and where they end: from low and high. */
void carom_image_batch_lows(const carom_lattice *lattice, carom_image_batch *batch);
void carom_image_batch_highs(const carom_lattice *lattice, carom_image_batch *batch);

/* The cell each body starts in, as numbers of the caller's edges: infinite or not a number if it is too far away.
 * False if all are 0. */
bool carom_image_batch_wraps(const carom_lattice *lattice, const carom_image_batch *batch,
                             double number[3][CAROM_IMAGE_BATCH]);

/* Takes `count` bodies from the cells that wrap says to the first one; those left after them, as the first body. */
void carom_image_batch_move(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_batch *batch);

/* The least, or greatest, of a batch's values and *value. */
void carom_image_batch_least(const double x[CAROM_IMAGE_BATCH], double *value);
void carom_image_batch_greatest(const double x[CAROM_IMAGE_BATCH], double *value);

#endif
