/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two convex shapes on their ways through a step, relative to each other. */
#ifndef CAROM_NARROW_APPROACH_H
#define CAROM_NARROW_APPROACH_H

#include <math.h>
#include <stdbool.h>

#include "kernel/narrow/gap.h"
#include "kernel/shape/track.h"

typedef struct carom_approach {
    carom_track i;
    carom_track k;
    carom_course course; /* points to the tracks, so that a pair must not be copied */
    double margin;       /* within which shapes count as touching */
    double reach;        /* of i's body and of k's together, and the margin: farther apart nothing touches */
    double pose_error;   /* no point of i is farther from where it is exactly, relative to k */
} carom_approach;

/* Sets all but the tracks, which are there. */
void carom_approach_set(carom_approach *pair, double margin);

/* No height is off by more, with bodies at x from each other. */
static inline double carom_approach_height_error(const carom_approach *pair, const double x[3]) {
    return pair->course.height_error + CAROM_HEIGHT_ERROR * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]));
}

/* The first t in [0, 1] at which bounding spheres of both shapes may touch, rounded down; 2 if they do not. They are
 * about the bodies' origins, and for children about their own, too. Exponents of p and u may be any. */
double carom_approach_spheres(const carom_approach *pair);

#endif
