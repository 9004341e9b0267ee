/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Level 3 of the decision (simd/approach_touches.h): the lanes that doubles leave open come in, with the quadratic that
 * doubles have computed; bits of the lanes that touch and of those that are certain go out.
 *
 * Doubles leave a pair open where B, C or a sum of them is small beside its terms: bodies that just touch at the start,
 * as in lattices and packings, or that hardly move towards each other. Here every sum and product is error-free: a
 * second double keeps what the first has lost in rounding (Knuth's TwoSum, Dekker's TwoProduct with Veltkamp's split;
 * Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997). Such a sum has 98 bits. It is exact where the errors
 * add up without an error of their own. So nearly every pair is decided here, all lanes at once, and hardly any in
 * integers.
 *
 * It needs exact p and R, and exact v unless C decides alone. They are differences and sums of inputs, and mostly exact
 * where bodies are close; a lane in which they are rounded stays open. */
#ifndef CAROM_SIMD_REFINE_H
#define CAROM_SIMD_REFINE_H

#include "simd/approach.h"

/* A sum, hi + lo, in the unit of its terms. */
typedef struct refined {
    vd hi;    /* rounded */
    vd lo;    /* the rounding errors of hi, summed */
    vd bound; /* >= 0: of the rounding errors of lo, but for the rounding of the bound itself. 0: hi + lo is exact */
} refined;

/* TwoSum: a + b = sum + *error exactly. Any other order of these operations would lose the error. */
static inline vd refine_two_sum(vd a, vd b, vd *error) {
    const vd sum = vd_add(a, b);
    const vd other = vd_sub(sum, a);
    *error = vd_add(vd_sub(a, vd_sub(sum, other)), vd_sub(b, other));
    return sum;
}

/* TwoProduct: a b = product + *error exactly, in refine_in_range. The error is a double, so both forms give its bits.
 */
#if CAROM_LANES == 16 /* AVX-512, which can multiply and subtract at once */
static inline vd refine_two_product(vd a, vd b, vd *error) {
    const vd product = vd_mul(a, b);
    *error = vd_multiply_subtract(a, b, product);
    return product;
}
#else
/* Veltkamp's split: the upper 26 bits of a. Products of halves are exact. */
static inline vd refine_upper(vd a) {
    const vd scaled = vd_mul(a, vd_set1(0x1p27 + 1));
    return vd_sub(scaled, vd_sub(scaled, a));
}

static inline vd refine_two_product(vd a, vd b, vd *error) {
    const vd product = vd_mul(a, b);
    const vd a_hi = refine_upper(a);
    const vd b_hi = refine_upper(b);
    const vd a_lo = vd_sub(a, a_hi);
    const vd b_lo = vd_sub(b, b_hi);
    vd rest = vd_sub(vd_mul(a_hi, b_hi), product);
    rest = vd_add(vd_add(rest, vd_mul(a_hi, b_lo)), vd_mul(a_lo, b_hi));
    *error = vd_add(rest, vd_mul(a_lo, b_lo));
    return product;
}
#endif

/* Adds to lo alone; the error of that only widens the bound. */
static inline void refine_add_low(refined *x, vd low) {
    vd error;
    x->lo = refine_two_sum(x->lo, low, &error);
    x->bound = vd_add(x->bound, vd_abs(error));
}

static inline void refine_add(refined *x, vd hi, vd lo) {
    vd error;
    x->hi = refine_two_sum(x->hi, hi, &error);
    refine_add_low(x, error);
    refine_add_low(x, lo);
}

static inline refined refine_dot(const vd x[3], const vd y[3]) {
    refined dot = {.bound = vd_set1(0.0)};
    dot.hi = refine_two_product(x[0], y[0], &dot.lo);
    for (int a = 1; a < 3; a++) {
        vd lo;
        const vd hi = refine_two_product(x[a], y[a], &lo);
        refine_add(&dot, hi, lo);
    }
    return dot;
}

static inline refined refine_plus(refined a, refined b) {
    refine_add(&a, b.hi, b.lo);
    a.bound = vd_add(a.bound, b.bound);
    return a;
}

/* C = p.p - R^2 */
static inline refined refine_gap(const approach_lanes *x) {
    refined gap = refine_dot(x->p, x->p);
    vd lo;
    const vd hi = refine_two_product(x->sum_radius, x->sum_radius, &lo);
    const vd zero = vd_set1(0.0);
    refine_add(&gap, vd_sub(zero, hi), vd_sub(zero, lo));
    return gap;
}

/* hi + lo, rounded. Its sign is that of the exact sum in the lanes that are *certain: four times the bound leaves room
 * for the roundings of the bound and of this sum. */
static inline vd refine_value(const refined *x, vdm *certain) {
    const vd value = vd_add(x->hi, x->lo);
    *certain = vd_le(vd_mul(x->bound, vd_set1(4.0)), vd_abs(value));
    return value;
}

/* |(a - b) - difference|, 0 if the difference is exact: TwoSum again, for a - b. */
static inline vd refine_difference_error(vd a, vd b, vd difference) {
    const vd other = vd_sub(difference, a);
    return vd_abs(vd_sub(vd_sub(a, vd_sub(difference, other)), vd_add(b, other)));
}

/* Lanes in which no product with this number overflows, and no error of one underflows: its size is 0 or 2^-300 to
 * 2^300. */
static inline vdm refine_in_range(vd x) {
    const vd size = vd_abs(x);
    return vdm_and(vd_le(size, vd_set1(0x1p300)), vdm_or(vd_le(size, vd_set1(0.0)), vd_le(vd_set1(0x1p-300), size)));
}

/* Lanes in which p and R are exact, and in range. */
static inline vdm refine_exact_start(const approach_lanes *x, const vd i[7], const vd k[7]) {
    vd error;
    vdm exact = refine_in_range(refine_two_sum(i[3], k[3], &error));
    error = vd_abs(error);
    for (int a = 0; a < 3; a++) {
        error = vd_add(error, refine_difference_error(i[a], k[a], x->p[a]));
        exact = vdm_and(exact, refine_in_range(x->p[a]));
    }
    return vdm_and(exact, vd_le(error, vd_set1(0.0)));
}

/* Lanes in which v is exact, and in range, given that p is. */
static inline vdm refine_exact_motion(const approach_lanes *x, const vd i[7], const vd k[7]) {
    vd error = vd_set1(0.0);
    vdm exact = vdm_from_bits(APPROACH_ALL);
    for (int a = 0; a < 3; a++) {
        const vd end = vd_sub(i[4 + a], k[4 + a]);
        error = vd_add(error, refine_difference_error(i[4 + a], k[4 + a], end));
        error = vd_add(error, refine_difference_error(end, x->p[a], x->v[a]));
        exact = vdm_and(exact, refine_in_range(x->v[a]));
    }
    return vdm_and(exact, vd_le(error, vd_set1(0.0)));
}

/* The bits of a double that hold its exponent: what is left is the power of two at or below its size. */
#define CAROM_EXPONENT_BITS UINT64_C(0x7FF0000000000000)

/* Lanes in which p, v and R, being exact, are integers of twelve bits in some unit. D then has no more than 52 bits, so
 * the D that doubles have computed is exact. This decides grazes on lattices; simd/exact/exact.c has the same test for
 * one pair. */
static inline vdm refine_small(const approach_lanes *x) {
    vd most = x->sum_radius;
    for (int a = 0; a < 3; a++) {
        most = vd_max(most, vd_max(vd_abs(x->p[a]), vd_abs(x->v[a])));
    }
    /* Added to a number and taken from it, this leaves its bits down to the eleventh below the first of `most`. */
    const vd unit = vd_mul(vd_mask(most, CAROM_EXPONENT_BITS), vd_set1(0x1.8p41));
    vd cut = vd_abs(vd_sub(vd_sub(vd_add(x->sum_radius, unit), unit), x->sum_radius));
    for (int a = 0; a < 3; a++) {
        cut = vd_add(cut, vd_abs(vd_sub(vd_sub(vd_add(x->p[a], unit), unit), x->p[a])));
        cut = vd_add(cut, vd_abs(vd_sub(vd_sub(vd_add(x->v[a], unit), unit), x->v[a])));
    }
    return vd_le(cut, vd_set1(0.0));
}

/* Lanes that touch, of those that are *certain, given that the bodies are apart and approach each other: the last two
 * tests of simd/exact/exact.h. D is not refined: it counts where it is beyond its margin, or exact. */
static inline vdm refine_meet(const approach_lanes *x, const refined *b, const refined *c, vdm *certain) {
    const vd zero = vd_set1(0.0);
    const vd distance = vd_manhattan(x->p);
    const refined slope = refine_plus(refine_dot(x->v, x->v), *b);
    const refined end = refine_plus(refine_plus(slope, *b), *c);
    vdm slope_certain;
    vdm end_certain;
    const vd slope_value = refine_value(&slope, &slope_certain);
    const vdm late = vd_lt(slope_value, zero);
    const vdm within = vd_le(zero, slope_value);
    const vd end_value = refine_value(&end, &end_certain);
    const vdm root_certain = vdm_or(
        refine_small(x), vd_lt(approach_last_margin(x, distance, approach_path(x, distance)), vd_abs(x->discriminant)));
    *certain = vdm_and(slope_certain, vdm_or(vdm_and(late, end_certain), vdm_and(within, root_certain)));
    return vdm_or(vdm_and(late, vd_le(end_value, zero)), vdm_and(within, vd_le(zero, x->discriminant)));
}

/* Level 3: bits of the lanes that touch, of those that are *certain. C comes first: where it decides, as in packings,
 * no other sum is needed. */
static __attribute__((noinline)) uint32_t approach_refine(const approach_lanes *x, const vd i[7], const vd k[7],
                                                          uint32_t *certain) {
    const vd zero = vd_set1(0.0);
    const refined c = refine_gap(x);
    vdm start_certain;
    const vdm overlap = vd_le(refine_value(&c, &start_certain), zero);
    start_certain = vdm_and(vdm_and(start_certain, refine_exact_start(x, i, k)), approach_in_range(x));
    const uint32_t apart = vdm_bits(start_certain) & ~vdm_bits(overlap);
    *certain = vdm_bits(vdm_and(start_certain, overlap));
    uint32_t touching = *certain;
    if (apart != 0) {
        const refined b = refine_dot(x->p, x->v);
        vdm slope_certain;
        vdm meet_certain;
        const vdm leaving = vd_le(zero, refine_value(&b, &slope_certain));
        const vdm meet = refine_meet(x, &b, &c, &meet_certain);
        const vdm moved = vdm_and(vdm_and(slope_certain, refine_exact_motion(x, i, k)), vdm_or(leaving, meet_certain));
        *certain |= apart & vdm_bits(moved);
        touching |= apart & vdm_bits(moved) & vdm_bits(meet) & ~vdm_bits(leaving);
    }
    return touching;
}

#endif
