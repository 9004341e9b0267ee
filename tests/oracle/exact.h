/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two moving spheres in exact arithmetic (GMP integers): do they touch in the step, and how good is a time of impact.
 * Written from the rule in detect.h alone; shares no code with the library.
 *
 * The fourteen inputs become integers over one power of two, the least that any of them needs, so subnormals and the
 * largest numbers are as good as any. p, v, R, A = v.v, B = p.v, C = p.p - R^2 and B^2 - AC are exact. */
#ifndef CAROM_TESTS_EXACT_H
#define CAROM_TESTS_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>

/* Body 0 is i, body 1 is k. Finite numbers, radii >= 0. */
typedef struct exact_pair {
    double prev[2][3];
    double curr[2][3];
    double radius[2];
} exact_pair;

/* What decides: touching at the start; not approaching; still approaching at the end; closest within the step. */
typedef enum exact_rule { EXACT_START, EXACT_NEVER, EXACT_END, EXACT_WITHIN } exact_rule;

typedef struct exact_verdict {
    exact_rule rule;
    bool touches;
    bool approaches; /* B < 0 */
    double slack;    /* (d^2 - R^2) / R^2 for the distance d that decides, to 1e-15 of itself; infinite for R = 0 < d */
} exact_verdict;

/* How a time of impact t in [0, 1] compares with the exact one. Differences are right to about 1e-15 of themselves. */
typedef struct exact_time {
    bool late;       /* t > t_exact */
    double behind;   /* t_exact - t, negative if late */
    double exact;    /* t_exact, rounded */
    double residual; /* ||p + t v| - R| / (|p| + R); 0 for a touch at the start and t = 0 */
} exact_time;

/* Room for one pair's numbers, used over and over. */
typedef struct exact {
    mpz_t x[14]; /* prev, curr of both, radii, over one power of two */
    mpz_t p[3];
    mpz_t v[3];
    mpz_t sum_radius;
    mpz_t square; /* R^2 */
    mpz_t a;
    mpz_t b;
    mpz_t c;
    mpz_t discriminant;
    mpz_t value;
    mpz_t slope;
    mpz_t part;
    exact_verdict verdict;
} exact;

void exact_start(exact *e);
void exact_end(exact *e);

/* The decision. Its numbers stay for exact_time_of. */
exact_verdict exact_decide(exact *e, const exact_pair *pair);

/* For the pair last decided, which must touch. */
exact_time exact_time_of(exact *e, double t);

/* The sign of a sum of up to 14 finite numbers: -1, 0, 1. */
int exact_sum_sign(exact *e, const double *x, int count);

/* As four lines of hex floats on stdout, each begun with '#'. */
void exact_print(const exact_pair *pair);

#endif
