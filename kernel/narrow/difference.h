/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The difference of two cores: all points a - b, with a in the core of i and b in that of k. Its distance from the
 * origin is the distance of the cores; its depth about the origin is theirs. */
#ifndef CAROM_NARROW_DIFFERENCE_H
#define CAROM_NARROW_DIFFERENCE_H

#include "simd/posed.h"

/* A point of the difference, and the points of both cores that make it. */
typedef struct carom_difference_point {
    double w[3]; /* a - b */
    double a[3];
    double b[3];
} carom_difference_point;

typedef struct carom_difference {
    const carom_posed *i;
    const carom_posed *k;
    double size;  /* no coordinate of i, k or their difference is greater, relative to k's position; > 0 */
    double error; /* bounds the rounding of what is computed of it: a support's value over |n|, the length of a point */
} carom_difference;

/* The difference of two convex shapes, whose cores may be points. */
carom_difference carom_difference_make(const carom_posed *i, const carom_posed *k);

/* The point with the least n.w, and that product. n is finite. */
double carom_difference_support(const carom_difference *difference, const double n[3], carom_difference_point *point);

#endif
