/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A periodic box: along some of its three edge vectors space repeats, so that every body has an image at each sum of
 * whole multiples of those vectors. The box may be orthorhombic or triclinic, tilted as far as one likes; where it
 * lies does not matter, and bodies may be anywhere, inside or outside. */
#ifndef CAROM_PERIODIC_H
#define CAROM_PERIODIC_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/export.h"

typedef struct carom_periodic {
    size_t size;       /* sizeof(carom_periodic), set by the default */
    bool along[3];     /* space repeats along edge[a]; at least one must be true */
    double edge[3][3]; /* edge[a] is the a-th vector, x y z, in the caller's unit of length. Those with along[a] must be
                          linearly independent, which is decided exactly, and have finite lengths. The whole multiples
                          of them that make the shortest basis must be doubles: in boxes tilted by up to 2^53 widths
                          they are. No whole multiples may add up to a vector shorter than DBL_MIN. The others are not
                          looked at: space is open there. */
} carom_periodic;

/* No axis, no edges: to be filled in. */
CAROM_API carom_periodic carom_periodic_default(void);

#endif
