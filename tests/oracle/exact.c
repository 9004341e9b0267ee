/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/exact.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INPUTS = 14, MANTISSA_BITS = 52, EXPONENT_MASK = 0x7FF, EXPONENT_BIAS = 1075 };

/* x = mantissa 2^exponent, the mantissa odd or 0. */
typedef struct scaled {
    int64_t mantissa;
    int exponent;
} scaled;

static scaled scaled_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS) & EXPONENT_MASK;
    int64_t mantissa = (int64_t)(bits & ((UINT64_C(1) << MANTISSA_BITS) - 1));
    if (exponent > 0) {
        mantissa |= INT64_C(1) << MANTISSA_BITS;
    } else {
        exponent = 1;
    }
    if (mantissa == 0) {
        return (scaled){0, 0};
    }
    int zeros = __builtin_ctzll((uint64_t)mantissa);
    mantissa >>= zeros;
    return (scaled){bits >> 63 != 0 ? -mantissa : mantissa, exponent - EXPONENT_BIAS + zeros};
}

/* to = x / 2^exponent. */
static void put_scaled(mpz_t to, scaled x, int exponent) {
    mpz_set_si(to, x.mantissa);
    if (x.mantissa != 0) {
        mpz_mul_2exp(to, to, (mp_bitcnt_t)(x.exponent - exponent));
    }
}

/* e->x[n] = x[n] / 2^least, least the largest power that divides all. */
static void put_numbers(exact *e, const double *x, int count) {
    scaled split[INPUTS];
    int least = INT_MAX;
    for (int n = 0; n < count; n++) {
        split[n] = scaled_of(x[n]);
        if (split[n].mantissa != 0 && split[n].exponent < least) {
            least = split[n].exponent;
        }
    }
    for (int n = 0; n < count; n++) {
        put_scaled(e->x[n], split[n], least);
    }
}

static void put_inputs(exact *e, const exact_pair *pair) {
    double x[INPUTS];
    for (int n = 0; n < INPUTS; n++) {
        int body = n % 2;
        x[n] = n < 6 ? pair->prev[body][n / 2] : n < 12 ? pair->curr[body][n / 2 - 3] : pair->radius[body];
    }
    put_numbers(e, x, INPUTS);
}

int exact_sum_sign(exact *e, const double *x, int count) {
    put_numbers(e, x, count);
    mpz_set_ui(e->part, 0);
    for (int n = 0; n < count; n++) {
        mpz_add(e->part, e->part, e->x[n]);
    }
    return mpz_sgn(e->part);
}

static void put_dot(mpz_t to, mpz_t x[3], mpz_t y[3]) {
    mpz_mul(to, x[0], y[0]);
    mpz_addmul(to, x[1], y[1]);
    mpz_addmul(to, x[2], y[2]);
}

static void put_quadratic(exact *e) {
    for (int a = 0; a < 3; a++) {
        mpz_sub(e->p[a], e->x[2 * a], e->x[2 * a + 1]);
        mpz_sub(e->v[a], e->x[6 + 2 * a], e->x[7 + 2 * a]);
        mpz_sub(e->v[a], e->v[a], e->p[a]);
    }
    mpz_add(e->sum_radius, e->x[12], e->x[13]);
    mpz_mul(e->square, e->sum_radius, e->sum_radius);
    put_dot(e->a, e->v, e->v);
    put_dot(e->b, e->p, e->v);
    put_dot(e->c, e->p, e->p);
    mpz_sub(e->c, e->c, e->square);
}

/* As a long double, whose exponents reach far enough for all that comes up here; truncated to 53 bits. */
static long double wide(const mpz_t x) {
    long exponent;
    double mantissa = mpz_get_d_2exp(&exponent, x);
    return ldexpl((long double)mantissa, (int)exponent);
}

static double ratio(long double above, long double below) {
    return above == 0 ? 0 : below == 0 ? (double)copysignl((long double)INFINITY, above) : (double)(above / below);
}

static exact_verdict decide_at_end(exact *e) {
    mpz_add(e->value, e->a, e->c);
    mpz_addmul_ui(e->value, e->b, 2);
    return (exact_verdict){
        .rule = EXACT_END, .touches = mpz_sgn(e->value) <= 0, .slack = ratio(wide(e->value), wide(e->square))};
}

static void put_discriminant(exact *e) {
    mpz_mul(e->discriminant, e->b, e->b);
    mpz_submul(e->discriminant, e->a, e->c);
}

static exact_verdict decide_within(exact *e) {
    put_discriminant(e);
    long double below = wide(e->a) * wide(e->square);
    return (exact_verdict){
        .rule = EXACT_WITHIN, .touches = mpz_sgn(e->discriminant) >= 0, .slack = ratio(-wide(e->discriminant), below)};
}

static exact_verdict decide(exact *e) {
    double start = ratio(wide(e->c), wide(e->square));
    if (mpz_sgn(e->c) <= 0) {
        return (exact_verdict){.rule = EXACT_START, .touches = true, .slack = start};
    }
    if (mpz_sgn(e->a) == 0 || mpz_sgn(e->b) >= 0) {
        return (exact_verdict){.rule = EXACT_NEVER, .slack = start};
    }
    mpz_add(e->part, e->a, e->b);
    return mpz_sgn(e->part) < 0 ? decide_at_end(e) : decide_within(e);
}

exact_verdict exact_decide(exact *e, const exact_pair *pair) {
    put_inputs(e, pair);
    put_quadratic(e);
    e->verdict = decide(e);
    e->verdict.approaches = mpz_sgn(e->b) < 0;
    return e->verdict;
}

/* value = f(t) 4^h and slope = (A t + B) 2^h for t = m 2^-h and f(t) = A t^2 + 2 B t + C. */
static void put_value(exact *e, scaled t, mp_bitcnt_t h) {
    mpz_mul_2exp(e->slope, e->b, h);
    mpz_set(e->part, e->slope);
    mpz_set(e->value, e->a);
    mpz_mul_si(e->value, e->value, t.mantissa);
    mpz_add(e->slope, e->slope, e->value);
    mpz_addmul_ui(e->value, e->part, 2);
    mpz_mul_si(e->value, e->value, t.mantissa);
    mpz_mul_2exp(e->part, e->c, 2 * h);
    mpz_add(e->value, e->value, e->part);
}

/* The root of A s^2 + 2 (A t + B) s + f(t) that is the earlier: s = t_exact - t. It has the discriminant of f. */
static long double root_from(exact *e, int h) {
    long double slope = ldexpl(wide(e->slope), -h);
    long double value = ldexpl(wide(e->value), -2 * h);
    long double root = sqrtl(wide(e->discriminant));
    if (value == 0 && slope <= 0) {
        return 0;
    }
    return slope <= 0 ? value / (root - slope) : (-slope - root) / wide(e->a);
}

static double residual_of(exact *e, int h) {
    mpz_mul_2exp(e->part, e->square, (mp_bitcnt_t)(2 * h));
    mpz_add(e->part, e->part, e->value);
    long double distance = sqrtl(ldexpl(wide(e->part), -2 * h));
    long double radius = wide(e->sum_radius);
    mpz_add(e->part, e->c, e->square);
    long double scale = sqrtl(wide(e->part)) + radius;
    long double value = fabsl(ldexpl(wide(e->value), -2 * h));
    return value == 0 ? 0 : ratio(value / (distance + radius), scale);
}

exact_time exact_time_of(exact *e, double t) {
    if (e->verdict.rule == EXACT_START && t == 0) {
        return (exact_time){0};
    }
    scaled time = scaled_of(t);
    int h = time.exponent < 0 ? -time.exponent : 0;
    if (time.exponent > 0) { /* t in [0, 1] is no larger integer than 1 */
        return (exact_time){.late = true, .behind = -INFINITY, .residual = INFINITY};
    }
    put_discriminant(e);
    put_value(e, time, (mp_bitcnt_t)h);
    if (e->verdict.rule == EXACT_START) {
        return (exact_time){.late = true, .behind = -t, .residual = residual_of(e, h)};
    }
    long double behind = root_from(e, h);
    return (exact_time){.late = mpz_sgn(e->value) < 0 || mpz_sgn(e->slope) > 0,
                        .behind = (double)behind,
                        .exact = (double)((long double)t + behind),
                        .residual = residual_of(e, h)};
}

static void each_number(exact *e, void (*apply)(mpz_t)) {
    for (int n = 0; n < INPUTS; n++) {
        apply(e->x[n]);
    }
    for (int a = 0; a < 3; a++) {
        apply(e->p[a]);
        apply(e->v[a]);
    }
    mpz_ptr rest[] = {e->sum_radius, e->square, e->a, e->b, e->c, e->discriminant, e->value, e->slope, e->part};
    for (size_t n = 0; n < sizeof rest / sizeof rest[0]; n++) {
        apply(rest[n]);
    }
}

static void make_number(mpz_t x) {
    mpz_init(x);
}

static void clear_number(mpz_t x) {
    mpz_clear(x);
}

void exact_start(exact *e) {
    each_number(e, make_number);
}

void exact_end(exact *e) {
    each_number(e, clear_number);
}

void exact_print(const exact_pair *pair) {
    for (int body = 0; body < 2; body++) {
        const double *prev = pair->prev[body];
        const double *curr = pair->curr[body];
        printf("# %s prev {%a, %a, %a}\n#   curr {%a, %a, %a} radius %a\n", body == 0 ? "i" : "k", prev[0], prev[1],
               prev[2], curr[0], curr[1], curr[2], pair->radius[body]);
    }
}
