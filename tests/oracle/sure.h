/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What long doubles can say for sure of two moving spheres, so that exact arithmetic is left the pairs that they cannot
 * decide. Written from the rule in detect.h alone; shares no code with the library.
 *
 * Why it is sure. Let u be half an ulp of 1, |.| the Manhattan norm, L = |p| + |v| + R. Of computed values, to first
 * order in u:
 *   p is off by u|p|, R by uR, v = (curr_i - curr_k) - p by u(|p| + |v|) + u|p| + u|v| <= 3u(|p| + |v|), by axis;
 *   A = v.v by 2|v| 3u(|p| + |v|), and 3u A for its own roundings: 9u L^2
 *   B = p.v by |p| 3u(|p| + |v|) + |v| u|p|, and 3u|p||v|: 7u L^2
 *   C = p.p - R^2 by (2 + 3 + 1) u p.p + (2 + 1 + 1) u R^2: 6u L^2
 * None is larger than L^2. Sums of them, with t in [0, 1]:
 *   A + B by 9 + 7 + 2: 18u L^2;  (A + B) + (B + C) by 18 + 15 + 4: 37u L^2
 *   A t + B by 9 + 7 + 1 + 2: 19u L^2;  ((A t + B) + B) t + C by 19 + 7 + 3 + 3 + 6 + 4: 42u L^2
 *   B^2 - A C by 14 + 9 + 6 + 4: 33u L^4
 * MARGIN is 64u, of a computed L: what is left is far more than all terms in u^2 and the roundings of the margins.
 * Nothing overflows or vanishes on the way where long double has the exponents for a product of four differences of
 * doubles: every difference is a multiple of 2^-1074 below 2^1026. Elsewhere, and where long doubles are computed as
 * doubles (valgrind), nothing is sure. */
#ifndef CAROM_TESTS_SURE_H
#define CAROM_TESTS_SURE_H

#include <stdbool.h>

#include "tests/oracle/exact.h"

typedef enum sure_verdict { SURE_OF_NOTHING, SURE_APART, SURE_TOUCHING } sure_verdict;

/* |p + t v|^2 - R^2 = A t^2 + 2 B t + C and how far off it may be. */
typedef struct sure {
    bool able; /* long doubles are what the above takes */
    long double a;
    long double b;
    long double c;
    long double margin;      /* of A, B, C and sums of them */
    long double last_margin; /* of B^2 - A C */
} sure;

sure sure_of(const exact_pair *pair);

/* Whether they touch in the step. */
sure_verdict sure_decide(const sure *s);

/* They touch at the start, so that 0 is the only right time. */
bool sure_at_start(const sure *s);

/* t in [0, 1] is before the time of impact of a pair that touches: still apart, and approaching. */
bool sure_not_late(const sure *s, double t);

#endif
