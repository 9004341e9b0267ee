/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/exact.h"

#include <stdint.h>

#include "simd/part.h"
#include "simd/wide.h"

/* Order of a body's fields. */
enum { RADIUS = 3, CURR = 4, FIELDS = 7 };

/* The power of two that all values are multiples of. */
static int32_t common_exponent(const double i[FIELDS], const double k[FIELDS]) {
    int32_t least = INT32_MAX;
    for (int n = 0; n < FIELDS; n++) {
        int32_t own = carom_wide_exponent(i[n]);
        int32_t other = carom_wide_exponent(k[n]);
        least = own < least ? own : least;
        least = other < least ? other : least;
    }
    return least;
}

static void set_difference(carom_wide *result, double a, double b, int32_t exponent) {
    carom_wide other;
    carom_wide_set(result, a, exponent);
    carom_wide_set(&other, b, exponent);
    carom_wide_subtract(result, result, &other);
}

static void dot(carom_wide *result, const carom_wide x[3], const carom_wide y[3]) {
    carom_wide product;
    carom_wide_multiply(result, &x[0], &y[0]);
    for (int a = 1; a < 3; a++) {
        carom_wide_multiply(&product, &x[a], &y[a]);
        carom_wide_add(result, result, &product);
    }
}

/* p.p - R^2 */
static void start_gap(carom_wide *result, const carom_wide p[3], double radius_i, double radius_k, int32_t exponent) {
    carom_wide sum;
    carom_wide other;
    carom_wide_set(&sum, radius_i, exponent);
    carom_wide_set(&other, radius_k, exponent);
    carom_wide_add(&sum, &sum, &other);
    carom_wide_multiply(&other, &sum, &sum);
    dot(result, p, p);
    carom_wide_subtract(result, result, &other);
}

/* Of bodies apart at the start that approach each other. */
static bool meet(const carom_wide *a, const carom_wide *b, const carom_wide *c) {
    carom_wide slope;
    carom_wide_add(&slope, a, b);
    if (slope.sign < 0) {
        carom_wide_add(&slope, &slope, b);
        carom_wide_add(&slope, &slope, c);
        return slope.sign <= 0;
    }
    carom_wide square;
    carom_wide product;
    carom_wide_multiply(&square, b, b);
    carom_wide_multiply(&product, a, c);
    carom_wide_subtract(&square, &square, &product);
    return square.sign >= 0;
}

typedef struct quadratic {
    carom_wide a;
    carom_wide b;
    carom_wide c;
} quadratic;

static void set_quadratic(quadratic *q, const double i[FIELDS], const double k[FIELDS]) {
    const int32_t exponent = common_exponent(i, k);
    carom_wide p[3];
    carom_wide v[3];
    for (int axis = 0; axis < 3; axis++) {
        set_difference(&p[axis], i[axis], k[axis], exponent);
        set_difference(&v[axis], i[CURR + axis], k[CURR + axis], exponent);
        carom_wide_subtract(&v[axis], &v[axis], &p[axis]);
    }
    start_gap(&q->c, p, i[RADIUS], k[RADIUS], exponent);
    dot(&q->a, v, v);
    dot(&q->b, p, v);
}

bool carom_exact_touches(const double i[FIELDS], const double k[FIELDS]) {
    quadratic q;
    set_quadratic(&q, i, k);
    return q.c.sign <= 0 || (q.a.sign != 0 && q.b.sign < 0 && meet(&q.a, &q.b, &q.c));
}

/* The root of the discriminant, or a little more. */
static carom_part root_above(const quadratic *q) {
    carom_wide square;
    carom_wide product;
    carom_wide_multiply(&square, &q->b, &q->b);
    carom_wide_multiply(&product, &q->a, &q->c);
    carom_wide_subtract(&square, &square, &product);
    return carom_part_root_above(carom_part_of(&square, true));
}

double carom_exact_time(const double i[FIELDS], const double k[FIELDS]) {
    quadratic q;
    set_quadratic(&q, i, k);
    if (q.c.sign <= 0) {
        return 0.0;
    }
    carom_part below = carom_part_sum_above(carom_part_of(&q.b, true), root_above(&q));
    return carom_part_quotient_below(carom_part_of(&q.c, false), below);
}
