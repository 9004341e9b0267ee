/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two cores that move and rotate, a plane between them at a time, and until when such a plane proves them apart. */
#ifndef CAROM_SIMD_PROOF_H
#define CAROM_SIMD_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simd/posed.h"

/* Kernels read what follows in rows of eight doubles, and a few of them are there to fill a row. */

/* A core that rotates about its body's origin. */
typedef struct carom_swing {
    const carom_shape_entry *shape; /* a half-space or line counts as its origin */
    double angle;       /* of the step's rotation, >= 0; infinite: it may have any rotation */
    double axis[3];     /* a unit vector */
    double core_reach;  /* no point of the core is farther from the body's origin; 0 for half-spaces and lines */
    double around;      /* no point of the core is farther from the axis; 0 if nothing rotates */
    double turns;       /* 1 if planes may rotate; 0 for half-spaces and lines */
    double unused;      /* 0 */
    double arm[3];      /* from the body's origin to the shape's, at t = 0 */
    double start[3][3]; /* rotation of the shape at t = 0 */
    double extent[3];   /* the shape's */
    double radius;      /* the shape's */
} carom_swing;

/* Two of them. */
typedef struct carom_course {
    const carom_swing *i;
    const carom_swing *k;
    double p[3];         /* position of body i relative to body k at t = 0 */
    double u[3];         /* its way */
    double radius;       /* both shapes', and the margin within which shapes count as touching */
    double height_error; /* no height is off by more, but for the rounding of the relative position's product with n */
} carom_course;

/* Rounding of both supports, of a plane's normal and of the relative position, relative to sizes and positions. */
#define CAROM_HEIGHT_ERROR 0x1p-46

/* A plane. At t its normal, a unit vector from k to i, is `normal`; it rotates about `axis` by `angle` in a step. */
typedef struct carom_turning {
    double normal[3];
    double t;
    double axis[3]; /* a unit vector */
    double angle;   /* >= 0 */
} carom_turning;

typedef struct carom_proof {
    const carom_course *course;
    carom_turning drift; /* the normal that was seen, and how it has rotated since the time before; `angle` may be 0 */
    double height;       /* of the gap along the normal then, > 0 */
    double closing;      /* the speed at which the witness points approach */
    double end;          /* nothing is asked for from there on */
    double target;       /* heights are small enough from there on */

    /* The answer: the cores are apart, farther than the radius, at all times from drift.t to before `next`, and if it
     * is `end`, with it. `ahead` is the plane's normal near that time. */
    double next;
    double ahead[3];

    bool first; /* no look has been: `height` is for the proof to find, and only the plane that stays is tried. If it is
                   not above the target, the answer is drift.t */
} carom_proof;

/* Rows. */
_Static_assert(offsetof(carom_swing, arm) == offsetof(carom_swing, angle) + 8 * sizeof(double), "a row");
_Static_assert(sizeof(carom_swing) == offsetof(carom_swing, arm) + 16 * sizeof(double), "two rows");
_Static_assert(sizeof(carom_course) == offsetof(carom_course, p) + 8 * sizeof(double), "a row");
_Static_assert(offsetof(carom_proof, height) == offsetof(carom_proof, drift) + 8 * sizeof(double), "a row");
_Static_assert(offsetof(carom_proof, first) == offsetof(carom_proof, height) + 8 * sizeof(double), "a row");

#endif
