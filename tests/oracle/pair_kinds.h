/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distributions of pairs of moving spheres, most of them close to the edge of touching or of the range of numbers.
 * Every value is one that float holds if the pair is drawn for float. */
#ifndef CAROM_TESTS_PAIR_KINDS_H
#define CAROM_TESTS_PAIR_KINDS_H

#include <stdbool.h>

#include "kernel/scene/random.h"
#include "tests/oracle/exact.h"

typedef enum pair_kind {
    PAIR_UNIFORM,   /* positions, displacements, radii of like size */
    PAIR_GAP_3,     /* least distance within 1e-3 of R, inside the step */
    PAIR_GAP_6,     /* 1e-6 */
    PAIR_GAP_7,     /* 1e-7 */
    PAIR_GAP_15,    /* 1e-15 */
    PAIR_LONG,      /* p thousands to millions of R long and nearly along v, gap within 1e-6 of R */
    PAIR_START,     /* within 1e-3 to 1e-17 of touching at the start */
    PAIR_END,       /* within 1e-3 to 1e-17 of touching first at the end */
    PAIR_OFFSET_6,  /* 1e6 from the origin on every axis, half of them in one place */
    PAIR_OFFSET_7,  /* 1e7 */
    PAIR_OFFSET_12, /* 1e12 in double, 1e5 in float: four digits are left */
    PAIR_TINY_STEP, /* displacements of 1e-3 to 1e-12 radii across the moment of touching */
    PAIR_TOGETHER,  /* displacements of 1000 that both share, but for little */
    PAIR_LATTICE,   /* small integers: exactly tangent at the start, within, at the end */
    PAIR_NUDGED,    /* the same with one number an ulp off */
    PAIR_NEEDLE,    /* the same with numbers down to 1e-300 where there were zeros */
    PAIR_REST,      /* no relative motion, many exactly tangent */
    PAIR_POINTS,    /* radius 0, half of them meet */
    PAIR_SCALES,    /* the above, scaled: 1e-40 to 1e37 for float, 1e-310 to 1e300 for double */
    PAIR_LARGEST,   /* coordinates up to the largest finite number: differences pass it */
    PAIR_SUBNORMAL, /* multiples of the least number */
    PAIR_MIXED,     /* every number with an exponent of its own */
    PAIR_KINDS
} pair_kind;

const char *pair_kind_name(pair_kind kind);

/* Values are rounded to float first if for_f32. */
exact_pair pair_draw(pair_kind kind, bool for_f32, carom_random *random);

#endif
