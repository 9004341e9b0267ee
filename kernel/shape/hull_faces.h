/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Faces and edges of a hull whose vertices are known. */
#ifndef CAROM_SHAPE_HULL_FACES_H
#define CAROM_SHAPE_HULL_FACES_H

#include "kernel/shape/hull_work.h"

/* Adds the face of the corners corner[first] and on, with its normal. */
void carom_hull_faces_add(carom_hull_work *work, uint32_t first);

/* Puts the faces in order, and finds the edges. */
void carom_hull_faces_finish(carom_hull_work *work);

#endif
