/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes around what a body is likely to do in a step. Pairs of bodies whose hulls do not meet cannot collide while each
 * stays in its own. A body that leaves its hull gets a wider one, and neighbours are then looked for anew. */
#ifndef CAROM_IMPACTS_HULLS_H
#define CAROM_IMPACTS_HULLS_H

#include <stdbool.h>

#include "kernel/impacts/bodies.h"
#include "kernel/response/vector.h"

typedef struct carom_hulls {
    float *lo[3]; /* for each slot, rounded down */
    float *hi[3]; /* rounded up */
} carom_hulls;

/* Hulls of bodies [begin, end): around their pieces until the end of the step, with room for half as much motion again.
 */
void carom_hulls_make(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t begin, uint32_t end);

/* Whether a body stays in its hull on a piece of its path, until the end of the step. */
bool carom_hulls_hold(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                      const carom_piece *piece);

/* Widens the hull so that it holds the piece, and half as much motion again. */
void carom_hulls_widen(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                       const carom_piece *piece);

#endif
