/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Axis-aligned boxes of shapes: at a pose, and over the whole of a motion. Both hold every point of the shape, in exact
 * arithmetic. A half-space and a line have infinite ones. */
#ifndef CAROM_SHAPE_BOX_H
#define CAROM_SHAPE_BOX_H

#include "kernel/shape/motion.h"

typedef struct carom_shape_box {
    double lo[3];
    double hi[3];
} carom_shape_box;

/* The box at a pose. Wider than the least one by no more than CAROM_BOX_ERROR (reach + |at|) on each side (cone,
 * compound: each child). */
#define CAROM_BOX_ERROR (2.0 * CAROM_POSE_BOX_ERROR)
void carom_box_at(const carom_posed *posed, carom_shape_box *box);

/* The box of all poses with t in [0, 1]. Without rotation it is the union of the boxes at both ends. */
void carom_box_swept(const carom_moving *moving, carom_shape_box *box);

#endif
