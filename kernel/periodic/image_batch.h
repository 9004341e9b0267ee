/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a periodic box, a batch at a time. In: bodies in double. Out: their boxes, their ranges in the lattice, the
 * cells they start in, and the bodies moved into the first cell. All are loops over arrays of a fixed length, without
 * branches or calls, so any compiler makes vector code of them. */
#ifndef CAROM_PERIODIC_IMAGE_BATCH_H
#define CAROM_PERIODIC_IMAGE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/periodic/lattice.h"

enum { CAROM_IMAGE_BATCH = 64, CAROM_BODY_FIELDS = 7 };

/* The functions work on whole batches: after `count` bodies, the first one stands again and again. */
typedef struct carom_image_batch {
    uint32_t count;                                     /* bodies, 1 to CAROM_IMAGE_BATCH */
    double field[CAROM_BODY_FIELDS][CAROM_IMAGE_BATCH]; /* prev, curr, radius, in the caller's unit of length */
    double low[3][CAROM_IMAGE_BATCH];                   /* swept boxes along the caller's axes */
    double high[3][CAROM_IMAGE_BATCH];
    double lo[3][CAROM_IMAGE_BATCH]; /* their ranges in the lattice, in edges of the basis; 0 where space is open */
    double hi[3][CAROM_IMAGE_BATCH];
} carom_image_batch;

/* low and high: min and max of prev and curr, less and plus the radius. */
void carom_image_batch_boxes(carom_image_batch *batch);

/* Where the boxes begin in the lattice, and where they end: from low and high. */
void carom_image_batch_lows(const carom_lattice *lattice, carom_image_batch *batch);
void carom_image_batch_highs(const carom_lattice *lattice, carom_image_batch *batch);

/* The cell that each body starts in, in numbers of the caller's edges; infinite or NaN if it is too far away. False if
 * all bodies start in the first cell. */
bool carom_image_batch_wraps(const carom_lattice *lattice, const carom_image_batch *batch,
                             double number[3][CAROM_IMAGE_BATCH]);

/* Moves `count` bodies from the cells that wrap names to the first cell; the rest of the batch like the first body. */
void carom_image_batch_move(const carom_lattice *lattice, const int32_t (*wrap)[3], carom_image_batch *batch);

/* The least, or greatest, of a batch's values and *value. */
void carom_image_batch_least(const double x[CAROM_IMAGE_BATCH], double *value);
void carom_image_batch_greatest(const double x[CAROM_IMAGE_BATCH], double *value);

#endif
