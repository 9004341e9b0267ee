/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two moving cores on their way, posed at a time for a search for their distance, which begins with the points of the
 * search before. */
#ifndef CAROM_SIMD_VIEW_H
#define CAROM_SIMD_VIEW_H

#include "simd/convex.h"
#include "simd/proof.h"

typedef struct carom_aim {
    const carom_course *course;
    double t;
    double direction[3]; /* where the search is to look first */

    /* The poses and the bracket of the look before; seen NULL: the search begins without points. */
    const carom_posed *seen_i;
    const carom_posed *seen_k;
    const carom_bracket *seen;

    /* The answers, which may lie where the look before is. The poses are relative to the position of shape k. */
    carom_posed *i;
    carom_posed *k;
    carom_bracket *bracket;
    double shift[3]; /* position of shape k, relative to body k at t */
} carom_aim;

/* A search that begins with points: no point is farther from the exact core than by this, relative to the size of the
 * cores' Minkowski difference, beside what a search that begins with none allows for. Rotations to a shape's frame and
 * back round by less than 2^-48 of a length, and the matrix is off by 2^-49. */
#define CAROM_AIM_ERROR 0x1p-46

#endif
