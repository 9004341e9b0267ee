/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Vertices and faces from triangles. */
#ifndef CAROM_SHAPE_HULL_MERGE_H
#define CAROM_SHAPE_HULL_MERGE_H

#include "kernel/shape/hull_work.h"

/* Of a hull with a volume. */
void carom_hull_merge(carom_hull_work *work);

#endif
