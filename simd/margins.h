/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The margins: how far the quadratic |p + t v|^2 = R^2, as simd/approach.h computes it in double, can be from the exact
 * one. A computed value that is farther from 0 than its margin has the sign of the exact value. A time of impact that
 * is computed at the early ends of the margins is never late. This file has the proof and the constants. Level 1
 * (simd/approach_float.h) uses the same proof for floats.
 *
 * The proof. Each operation rounds by at most u = 2^-53 of its result, and carries the errors of its operands along
 * (Higham, Accuracy and Stability of Numerical Algorithms, ch. 3). x is a position at the start, y at the end, r a
 * radius; |p| is the length, |p|1 the sum of absolute values. p, v, R, A, B, C, D are as computed; terms in u^2 are
 * rounded up into the factors. Then
 *
 *   p = x_i - x_k                        errs by u |p_a| on axis a
 *   v = (y_i - y_k) - p                  by 2.01 u (|p_a| + |v_a|), for |y_i - y_k| <= |p| + |v|
 *   R = r_i + r_k                        by u R
 *   B = p.v                              by u (2.01 |p|^2 + 6.1 |p||v|)
 *   A = v.v                              by u (7.2 |v|^2 + 4.1 |p||v|)
 *   C = p.p - R^2                        by u (6.1 |p|^2 + 4.2 R^2)
 *   A + B                                by u (2.1 |p|^2 + 11.3 |p||v| + 8.3 |v|^2)
 *   A + 2B + C                           by u (11.2 |p|^2 + 21.3 |p||v| + 10.3 |v|^2 + 5.2 R^2)
 *
 * With |p||v| <= (|p|^2 + |v|^2) / 2 each of B, C, A + B, A + 2B + C errs by less than 22 u (|p|^2 + |v|^2 + R^2).
 *
 * The discriminant is D = R^2 A - |p x v|^2. A component of p x v errs by u (4.02 X + 5.1 Y), X = |p_b||p_c|,
 * Y = |p_b||v_c| + |p_c||v_b|. Its square errs by twice that times Y, and by the square of it. Over the axes
 * sum Y^2 <= 2 |p|^2 |v|^2 and sum X Y <= 0.82 |p|^3 |v|. So D errs by
 *
 *   u |v| (|v| (12.5 R^2 + 28 |p|^2) + |p| (4.1 R^2 + 6.6 |p|^2)) + u^2 (11 |p|^4 + 9 R^2 |p|^2)
 *   <= 28 u (|p|^2 + R^2) (|v|^2 + |p|1 w),   w = |v|1 + 4 u (|p|1 + |v|1), no less than the exact |v|
 *
 * The constants below are larger than these factors, which leaves room for the rounding of the margins themselves.
 *
 * One more test needs no D: a pair that touches in the step has |p| <= R + |v|, so C <= |v| (2R + |v|). Where C is
 * greater by the margins, the pair is farther apart than it can come.
 *
 * Nothing overflows while |p|^2 + |v|^2 + R^2 is below CAROM_SCALE_MOST. Underflow is too small to matter while
 * |p|^2 + R^2 is above CAROM_SCALE_LEAST: where C > 0 the margin of D is then at least 64 u^2 |p|^4 > 2^-1066. The
 * values of f32 records always are within both, or |p|^2 + R^2 is 0: then no margin proves a sign, and the pair stays
 * open. */
#ifndef CAROM_SIMD_MARGINS_H
#define CAROM_SIMD_MARGINS_H

/* A margin is one of the shares below, without a unit, of what its comment names. */

/* ANY: bounds the error of B, C, A + B and A + 2B + C, as a share of |p|^2 + |v|^2 + R^2. */
#define CAROM_MARGIN_ANY (24 * 0x1p-53)
/* FIRST: tighter, for the time of the first touch: C as a share of |p|^2 + R^2, B of |p|^2 + R^2 + |p|1 w. */
#define CAROM_MARGIN_FIRST (8 * 0x1p-53)
/* LAST: D, whose sign is the last to be tested, as a share of (|p|^2 + R^2)(|v|^2 + |p|1 w). */
#define CAROM_MARGIN_LAST (32 * 0x1p-53)
/* PATH: how much less than the exact |v| the computed |v|1 can be, as a share of |p|1 + |v|1. */
#define CAROM_MARGIN_PATH (4 * 0x1p-53)
/* TIME: a factor that makes a time of impact early by ten roundings, more than it has. */
#define CAROM_MARGIN_TIME (1 - 10 * 0x1p-53)

/* Near a graze D is small, and its margin moves the root of D far: the time would be much too early. It comes from
 * exact arithmetic if the root moves by more than this many margins of B. */
#define CAROM_MARGIN_ROOT (CAROM_REAL_BITS == 32 ? 0x1p20 : 0x1p10)

/* Simple scenes have simple times, numbers of few bits, and they must come out exactly: 0.5 as 0.5, not as something
 * just below. So a time comes from exact arithmetic, too, if rounding down time TIME_ABOVE to TIME_BITS gives more than
 * the time: a simple number lies just above. TIME_BITS keeps the sign, the exponent and 23 or 26 bits of mantissa. */
#define CAROM_TIME_BITS (CAROM_REAL_BITS == 32 ? UINT64_C(0xFFFFFFFFE0000000) : UINT64_C(0xFFFFFFFFFC000000))
#define CAROM_TIME_ABOVE (CAROM_REAL_BITS == 32 ? 1 + 0x1p-38 : 1 + 0x1p-44)

/* The margins hold while |p|^2 + R^2 is above the one and |p|^2 + |v|^2 + R^2 below the other, squares of lengths. */
#define CAROM_SCALE_LEAST 0x1p-480
#define CAROM_SCALE_MOST 0x1p500

#endif
