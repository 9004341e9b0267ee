/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Where two shapes touch along a line: by parallel edges, or sides of capsules and cylinders. */
#ifndef CAROM_NARROW_EDGES_H
#define CAROM_NARROW_EDGES_H

#include <stdbool.h>

#include "simd/posed.h"

/* The ends of that line, midway between the surfaces, which are `separation` apart there along the normal. */
typedef struct carom_edges {
    uint32_t count; /* 0 to 2 */
    double point[2][3];
    double separation[2];
} carom_edges;

/* Fills *ends for two shapes, in the frame of the poses, and their normal from k to i. There are none unless both have
 * an edge that faces the other shape, parallel within some 8 degrees. */
void carom_edges_find(const carom_posed *i, const carom_posed *k, const double normal[3], carom_edges *ends);

#endif
