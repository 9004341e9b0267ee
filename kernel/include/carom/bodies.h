/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moving spheres as a structure of arrays, owned by the caller and only ever read by the library.
 *
 * Body i moves in a straight line at constant velocity from prev (t = 0) to curr (t = 1); its radius is
 * constant. One unit of length serves for positions and radii; any unit will do. Index 0 of each array of
 * three is x, 1 is y, 2 is z. The arrays need no alignment and may alias one another (prev == curr is a
 * scene at rest). A valid body has finite coordinates and a finite radius >= 0. */
#ifndef CAROM_BODIES_H
#define CAROM_BODIES_H

#include <stdint.h>

/* Largest number of bodies in one call: indices are 32-bit and the last value is kept as "none". */
#define CAROM_BODIES_MAX UINT64_C(0xFFFFFFFE)

typedef struct carom_bodies_f32 {
    uint64_t count;
    const float *prev[3]; /* position at t = 0, count values an axis */
    const float *curr[3]; /* position at t = 1 */
    const float *radius;
} carom_bodies_f32;

typedef struct carom_bodies_f64 {
    uint64_t count;
    const double *prev[3];
    const double *curr[3];
    const double *radius;
} carom_bodies_f64;

#endif
