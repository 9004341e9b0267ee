/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moving spheres as a structure of arrays. The caller owns the arrays; the library only reads them.
 *
 * Body i moves in a straight line at constant velocity, from prev at t = 0 to curr at t = 1. Its radius is constant.
 * Positions and radii share one unit of length, and any unit will do. In each array of three, index 0 is x, 1 is y
 * and 2 is z. The arrays need no alignment beyond their type's. They may alias one another: prev == curr is a scene at
 * rest. A valid body has finite coordinates and a finite radius >= 0. */
#ifndef CAROM_BODIES_H
#define CAROM_BODIES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of bodies in one call. Indices have 32 bits; the largest value is reserved for "none". */
#define CAROM_BODIES_MAX UINT64_C(0xFFFFFFFE)

typedef struct carom_bodies_f32 {
    /* sizeof(carom_bodies_f32), in bytes; 0: the members of version 0.2 (carom/version.h). */
    size_t size;

    /* Number of bodies, 0 to CAROM_BODIES_MAX. With 0 the arrays may be NULL. */
    uint64_t count;

    /* Positions of the centres at t = 0: count values an axis, in units of length, finite. */
    const float *prev[3];

    /* Positions of the centres at t = 1: count values an axis, in units of length, finite. */
    const float *curr[3];

    /* Radii: count values, in units of length, finite and >= 0. */
    const float *radius;
} carom_bodies_f32;

/* The fields are as in carom_bodies_f32, with double. */
typedef struct carom_bodies_f64 {
    size_t size;
    uint64_t count;
    const double *prev[3];
    const double *curr[3];
    const double *radius;
} carom_bodies_f64;

#ifdef __cplusplus
}
#endif

#endif
