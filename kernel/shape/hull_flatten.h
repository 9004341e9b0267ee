/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Vertices and faces of points in a plane, on a line, or of one point. */
#ifndef CAROM_SHAPE_HULL_FLATTEN_H
#define CAROM_SHAPE_HULL_FLATTEN_H

#include "kernel/shape/hull_work.h"

/* Of a hull with less than 3 dimensions. */
void carom_hull_flatten(carom_hull_work *work);

#endif
