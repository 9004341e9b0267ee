/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A surface of triangles around points. */
#ifndef CAROM_SHAPE_HULL_ENCLOSE_H
#define CAROM_SHAPE_HULL_ENCLOSE_H

#include "kernel/shape/hull_work.h"

/* Sets dimensions and, if these are 3, the triangles of the surface. */
void carom_hull_enclose(carom_hull_work *work);

#endif
