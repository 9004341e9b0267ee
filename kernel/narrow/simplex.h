/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A simplex of points of a difference, and its point closest to the origin. */
#ifndef CAROM_NARROW_SIMPLEX_H
#define CAROM_NARROW_SIMPLEX_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/narrow/difference.h"

typedef struct carom_simplex {
    carom_difference_point point[4]; /* the newest last */
    double weight[4];                /* of each point in `closest`; >= 0, sum 1 to rounding */
    uint32_t count;                  /* 0 to 4 */
    bool holds_origin;               /* four points around the origin, as far as doubles can tell */
    double closest[3];               /* the sum of the weighted points */
    double direction[3];             /* from the origin to the simplex: along `closest`, but more exact near touch */
} carom_simplex;

/* Finds the closest point to the origin, and keeps only the points that it is made of. The newest point, the last, is
 * one of them: the caller added it because it is closer than the others along the old direction. With four points
 * around the origin all are kept. */
void carom_simplex_reduce(carom_simplex *simplex);

/* The points of both cores that make `closest`. */
void carom_simplex_witness(const carom_simplex *simplex, double a[3], double b[3]);

#endif
