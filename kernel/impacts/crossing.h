/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that have left a periodic box on one side and entered it on another between two steps. A body's hull goes with
 * it, and so do the images in its row and in the rows of its neighbours. */
#ifndef CAROM_IMPACTS_CROSSING_H
#define CAROM_IMPACTS_CROSSING_H

#include "kernel/impacts/hulls.h"
#include "kernel/impacts/rows.h"

typedef struct carom_crossing {
    uint32_t slot;
    int32_t edges[3]; /* by which the body has moved, beside its own motion */
} carom_crossing;

/* By how many edges `path`, a box around a body's path in this step, is away from its hull. `dual` is that of the
 * periodic box (kernel/impacts/images.h). Returns whether it is by any. */
bool carom_crossing_find(const double dual[3][3], const carom_hull_box *hull, const carom_hull_box *path,
                         int32_t edges[3]);

/* Moves the hull, rounded inward, and changes the rows. False: an image is too many edges away, or a number beyond
 * floats; then hulls and rows are of no use any more. */
bool carom_crossing_follow(const carom_crossing *crossing, const carom_periodic *periodic, const carom_hulls *hulls,
                           const carom_impacts_rows *rows);

#endif
