/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two ways, with the same results. If p, v and R are integers of few bits in some unit, doubles hold A, B, C and D
 * exactly: so it is on lattices, and for most other bodies that touch to the last digit. Else all inputs are multiples
 * of one power of two; as integers in this unit they are added and multiplied without any rounding (simd/exact/wide.h),
 * and only signs are needed. A time needs a root and a quotient; these are taken from leading bits, rounded to the
 * early side (simd/exact/leading.h). */
#include "simd/exact/exact.h"

#include <math.h>
#include <stdint.h>

#include "kernel/check/assert.h"
#include "simd/exact/leading.h"
#include "simd/exact/wide.h"

/* Integers take a kilobyte of the stack each. Functions that hold some take turns there, if compilers leave them
 * apart. */
#define NOT_INLINED __attribute__((noinline))

/* Places in the seven numbers of a body. */
enum { RADIUS = 3, CURR = 4, FIELDS = 7 };
/* Bits of a small integer: D, a sum of products of four, then has no more than 52. And lengths of which the fourth
 * power is in the range of double. */
enum { SMALL_BITS = 12 };
static const double SMALL_LEAST = 0x1p-200;
static const double SMALL_MOST = 0x1p200;

/* The largest power of two that all values are multiples of: the unit of the integers. INT32_MAX if all are 0. */
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

/* a - b in units of 2^exponent. */
static void set_difference(carom_wide *result, double a, double b, int32_t exponent, carom_wide *spare) {
    carom_wide_set(result, a, exponent);
    carom_wide_set(spare, b, exponent);
    carom_wide_subtract(result, result, spare);
}

/* *result += x y; 0 is not added to. */
static void add_product(carom_wide *result, const carom_wide *x, const carom_wide *y, carom_wide *spare) {
    if (result->sign == 0) {
        carom_wide_multiply(result, x, y);
        return;
    }
    carom_wide_multiply(spare, x, y);
    carom_wide_add(result, result, spare);
}

/* The last two tests of exact.h, for bodies that are apart at the start and approach each other. */
static NOT_INLINED bool meet(const carom_wide *a, const carom_wide *b, const carom_wide *c) {
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

/* A, B and C, exact, in units of 2^(2 exponent): only their signs and ratios count. */
typedef struct quadratic {
    carom_wide a;
    carom_wide b;
    carom_wide c;
} quadratic;

/* One axis after the other: so only three numbers are needed at once. */
static NOT_INLINED void set_quadratic(quadratic *q, const double i[FIELDS], const double k[FIELDS]) {
    const int32_t exponent = common_exponent(i, k);
    carom_wide p;
    carom_wide v;
    carom_wide spare;
    set_difference(&p, i[RADIUS], -k[RADIUS], exponent, &spare);
    carom_wide_multiply(&q->c, &p, &p);
    q->c.sign = -q->c.sign; /* C begins as -R^2 */
    carom_wide_set(&q->a, 0.0, exponent);
    carom_wide_set(&q->b, 0.0, exponent);
    for (int axis = 0; axis < 3; axis++) {
        set_difference(&p, i[axis], k[axis], exponent, &spare);
        set_difference(&v, i[CURR + axis], k[CURR + axis], exponent, &spare);
        carom_wide_subtract(&v, &v, &p);
        add_product(&q->a, &v, &v, &spare);
        add_product(&q->b, &p, &v, &spare);
        add_product(&q->c, &p, &p, &spare);
    }
}

/* The same where p, v and R are small integers times `unit`: exact, in the unit of the bodies. */
typedef struct small {
    double unit; /* a power of two, a length */
    double a;
    double b;
    double c;
    double discriminant; /* D */
} small;

/* *sum = a + b, rounded; returns whether that is exact (Knuth's TwoSum has no error then). */
static bool add_exactly(double a, double b, double *sum) {
    *sum = a + b;
    const double other = *sum - a;
    return (a - (*sum - other)) + (b - other) == 0.0;
}

/* The greater of |x| and size. */
static double greater_size(double x, double size) {
    return fabs(x) > size ? fabs(x) : size;
}

/* Whether x is a multiple of the last bit of `large`, which is larger: then adding it and subtracting it rounds
 * nothing. */
static bool is_multiple(double x, double large) {
    return (x + large) - large == x;
}

static double small_dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* Sets *s and returns true if p, v and R are exact in double, and small integers in some unit. */
static bool set_small(small *s, const double i[FIELDS], const double k[FIELDS]) {
    double p[3];
    double v[3];
    double radius;
    bool exact = add_exactly(i[RADIUS], k[RADIUS], &radius);
    double most = radius;
    for (int axis = 0; axis < 3; axis++) {
        double end;
        exact &= add_exactly(i[axis], -k[axis], &p[axis]);
        exact &= add_exactly(i[CURR + axis], -k[CURR + axis], &end);
        exact &= add_exactly(end, -p[axis], &v[axis]);
        most = greater_size(v[axis], greater_size(p[axis], most));
    }
    if (!exact || !(most >= SMALL_LEAST && most <= SMALL_MOST)) {
        return false;
    }
    int exponent;
    (void)frexp(most, &exponent);
    s->unit = scalbn(1.0, exponent - SMALL_BITS); /* the longest has SMALL_BITS bits */
    const double large = s->unit * 0x1.8p52;
    exact = is_multiple(radius, large);
    for (int axis = 0; axis < 3; axis++) {
        exact &= is_multiple(p[axis], large) && is_multiple(v[axis], large);
    }
    s->a = small_dot(v, v);
    s->b = small_dot(p, v);
    s->c = small_dot(p, p) - radius * radius;
    s->discriminant = s->b * s->b - s->a * s->c;
    return exact;
}

static bool small_touches(const small *s) {
    if (s->c <= 0.0 || s->b >= 0.0) {
        return s->c <= 0.0;
    }
    const double slope = s->a + s->b;
    return slope < 0.0 ? slope + s->b + s->c <= 0.0 : s->discriminant >= 0.0;
}

/* Whether a record is hidden: it touches nothing. */
static bool is_hidden(const double fields[FIELDS]) {
    return fields[RADIUS] == -INFINITY;
}

/* Finite, and of a radius >= 0. */
static bool is_body(const double fields[FIELDS]) {
    bool good = fields[RADIUS] >= 0.0;
    for (int n = 0; n < FIELDS; n++) {
        good = good && isfinite(fields[n]);
    }
    return good;
}

bool carom_exact_touches(const double i[FIELDS], const double k[FIELDS]) {
    if (is_hidden(i) || is_hidden(k)) {
        return false;
    }
    CAROM_ASSERT(is_body(i) && is_body(k));
    small s;
    if (set_small(&s, i, k)) {
        return small_touches(&s);
    }
    quadratic q;
    set_quadratic(&q, i, k);
    return q.c.sign <= 0 || (q.a.sign != 0 && q.b.sign < 0 && meet(&q.a, &q.b, &q.c));
}

bool carom_exact_approaches(const double i[FIELDS], const double k[FIELDS]) {
    CAROM_ASSERT(is_body(i) && is_body(k));
    small s;
    if (set_small(&s, i, k)) {
        return s.b < 0.0;
    }
    quadratic q;
    set_quadratic(&q, i, k);
    return q.b.sign < 0;
}

/* sqrt(D), rounded up: a larger denominator makes the time early. */
static NOT_INLINED carom_leading_bits root_above(const quadratic *q) {
    carom_wide square;
    carom_wide product;
    carom_wide_multiply(&square, &q->b, &q->b);
    carom_wide_multiply(&product, &q->a, &q->c);
    carom_wide_subtract(&square, &square, &product);
    return carom_leading_root_above(carom_leading_of(&square, true));
}

/* The time of a touch after the start, if sqrt(D) is exact, too; else -1. D has 52 bits, so a root that is a multiple
 * of unit^2 has 26, and its square shows whether it is the root. */
static double small_time(const small *s) {
    const double root = sqrt(s->discriminant);
    const double square_unit = s->unit * s->unit;
    if (!is_multiple(root, square_unit * 0x1.8p52) || root * root != s->discriminant) {
        return -1.0;
    }
    return carom_leading_quotient_below(carom_leading_of_double(s->c), carom_leading_of_double(root - s->b));
}

double carom_exact_time(const double i[FIELDS], const double k[FIELDS]) {
    CAROM_ASSERT(carom_exact_touches(i, k));
    small s;
    if (set_small(&s, i, k)) {
        const double time = s.c <= 0.0 ? 0.0 : small_time(&s);
        if (time >= 0.0) {
            return time;
        }
    }
    quadratic q;
    set_quadratic(&q, i, k);
    if (q.c.sign <= 0) {
        return 0.0;
    }
    /* |B| is -B, because the bodies approach each other. */
    carom_leading_bits below = carom_leading_sum_above(carom_leading_of(&q.b, true), root_above(&q));
    return carom_leading_quotient_below(carom_leading_of(&q.c, false), below);
}
