/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two convex shapes on their ways through a step, relative to each other, and how far apart a plane holds them. */
#ifndef CAROM_NARROW_APPROACH_H
#define CAROM_NARROW_APPROACH_H

#include <stdbool.h>

#include "kernel/narrow/gap.h"
#include "kernel/shape/track.h"

typedef struct carom_approach {
    carom_track i;
    carom_track k;
    double p[3];         /* position of body i relative to body k at t = 0 */
    double u[3];         /* its way */
    double radius;       /* both shapes', and the margin within which shapes count as touching */
    double reach;        /* of i's body and of k's together, and the margin: farther apart nothing touches */
    double pose_error;   /* no point of i is farther from where it is exactly, relative to k */
    double height_error; /* no computed height is off by more */
} carom_approach;

/* Sets all but the tracks, which are there. */
void carom_approach_set(carom_approach *pair, double margin);

/* The poses at t, relative to the position of shape k. *shift receives that position, relative to body k at t. */
void carom_approach_pose(const carom_approach *pair, double t, carom_posed *i, carom_posed *k, double shift[3]);

/* The height at t of the gap along n, a unit vector from k to i,
 *
 *     g(n, t) = min over a in i of n.a - max over b in k of n.b - margin
 *
 * rounded down by height_error. Against a half-space n is its normal; against a line, at right angles to it. */
double carom_approach_height(const carom_approach *pair, const double n[3], double t);

/* Bounds the second derivative of n.a - n.b over t for all points a of i and b of k, which is the spins' alone. */
double carom_approach_bend(const carom_approach *pair, const double n[3]);

/* The first t in [0, 1] at which the bounding spheres of both shapes about their bodies' origins may touch, rounded
 * down; 2 if they do not. Exponents of p and u may be any. */
double carom_approach_spheres(const carom_approach *pair);

#endif
