/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of moving spheres at the ends of the range of a precision, and with numbers as far apart as it has. Every value
 * is one that float holds if the pair is drawn for float. */
#ifndef CAROM_TESTS_EXTREME_PAIRS_H
#define CAROM_TESTS_EXTREME_PAIRS_H

#include <stdbool.h>

#include "kernel/scene/random.h"
#include "tests/oracle/exact.h"

typedef enum extreme_kind {
    EXTREME_HUGE,      /* all sizes within a few powers of two of the largest number */
    EXTREME_TINY,      /* all sizes alike, below the root of the least normal number */
    EXTREME_SUBNORMAL, /* multiples of the least number up to 2^12 */
    EXTREME_APART,     /* |p|, |v| and R each of a size of its own */
    EXTREME_AXES,      /* p and v on each axis of sizes of their own */
    EXTREME_DOMINANT,  /* one axis of an ordinary size, the others far smaller */
    EXTREME_HEAD_ON,   /* centres meet on one axis, exactly, and miss each other by far less on another */
    EXTREME_LATTICE,   /* small integers in units of their own on each axis */
    EXTREME_REST,      /* little relative motion or none, p mostly far smaller than R */
    EXTREME_CROSSING,  /* body k moves across the whole range, body i along with it */
    EXTREME_KINDS
} extreme_kind;

const char *extreme_kind_name(extreme_kind kind);

exact_pair extreme_pair(extreme_kind kind, bool for_f32, carom_random *random);

#endif
