/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far the quadratic |p + t v|^2 = R^2 of two bodies, computed in double, can be from that of exact arithmetic on
 * the inputs, and so when a decision may be taken from it and how early a time must be to be never late.
 *
 * u = 2^-53; |x| is the length, |x|1 the sum of absolute values; p, v, R, A, B, C, D are as computed:
 *   p = x_i - x_k                        errs by u |p_a| on axis a
 *   v = (y_i - y_k) - p                  by 2.01 u (|p_a| + |v_a|), for |y_i - y_k| <= |p| + |v|
 *   R = r_i + r_k                        by u R
 *   B = p.v                              by u (2.01 |p|^2 + 6.1 |p||v|)
 *   A = v.v                              by u (7.2 |v|^2 + 4.1 |p||v|)
 *   C = p.p - R^2                        by u (6.1 |p|^2 + 4.2 R^2)
 *   A + B                                by u (2.1 |p|^2 + 11.3 |p||v| + 8.3 |v|^2)
 *   A + 2B + C                           by u (11.2 |p|^2 + 21.3 |p||v| + 10.3 |v|^2 + 5.2 R^2)
 * With |p||v| <= (|p|^2 + |v|^2) / 2 each of B, C, A + B, A + 2B + C errs by less than 22 u (|p|^2 + |v|^2 + R^2).
 *
 *   D = R^2 A - |p x v|^2
 *
 * A component of p x v errs by u (4.02 X + 5.1 Y), X = |p_b||p_c|, Y = |p_b||v_c| + |p_c||v_b|, its square by twice
 * that times Y and by the square of it. Over the axes sum Y^2 <= 2 |p|^2 |v|^2 and sum X Y <= 0.82 |p|^3 |v|. So D errs
 * by
 *
 *   u |v| (|v| (12.5 R^2 + 28 |p|^2) + |p| (4.1 R^2 + 6.6 |p|^2)) + u^2 (11 |p|^4 + 9 R^2 |p|^2)
 *   <= 28 u (|p|^2 + R^2) (|v|^2 + |p|1 w),   w = |v|1 + 4 u (|p|1 + |v|1), no less than the exact |v|
 *
 * The constants below leave room for the rounding of the margins themselves.
 *
 * A pair further apart than it can come in the step never touches: if it does, |p| <= R + |v|, so C <= |v| (2R + |v|).
 *
 * All this without overflow while |p|^2 + |v|^2 + R^2 is below the one limit, and with underflow of no weight while
 * |p|^2 + R^2 is above the other: where C > 0 the margin of D is then at least 64 u^2 |p|^4 > 2^-1066. Floats always
 * are, or are all zero, which nothing below decides. */
#ifndef CAROM_SIMD_MARGINS_H
#define CAROM_SIMD_MARGINS_H

/* Of B, C, A + B and A + 2B + C, in |p|^2 + |v|^2 + R^2. */
#define CAROM_MARGIN_ANY (24 * 0x1p-53)
/* Of C, in |p|^2 + R^2, and of B, in that and |p|1 w. */
#define CAROM_MARGIN_FIRST (8 * 0x1p-53)
/* Of D, in (|p|^2 + R^2)(|v|^2 + |p|1 w). */
#define CAROM_MARGIN_LAST (32 * 0x1p-53)
/* What |v|1 falls short of the exact |v| at most, in |p|1 + |v|1. */
#define CAROM_MARGIN_PATH (4 * 0x1p-53)
/* Ten roundings, of which the time of impact has fewer. */
#define CAROM_MARGIN_TIME (1 - 10 * 0x1p-53)

/* In units of B's margin, how far the root may be off before the time is taken from exact arithmetic: near a graze,
 * where the margin of D moves its root far. */
#define CAROM_MARGIN_ROOT (CAROM_REAL_BITS == 32 ? 0x1p20 : 0x1p10)

/* A time is also taken from exact arithmetic if a number with no more bits of mantissa than these is this much above
 * it, as a share of it: where the time is such a number, and simple scenes have such times, that is what must come out.
 * The bits of a double that hold its sign, its exponent and 23 or 26 of its mantissa. */
#define CAROM_TIME_BITS (CAROM_REAL_BITS == 32 ? UINT64_C(0xFFFFFFFFE0000000) : UINT64_C(0xFFFFFFFFFC000000))
#define CAROM_TIME_ABOVE (CAROM_REAL_BITS == 32 ? 1 + 0x1p-38 : 1 + 0x1p-44)

/* |p|^2 + R^2, and |p|^2 + |v|^2 + R^2, within which the margins hold. */
#define CAROM_SCALE_LEAST 0x1p-480
#define CAROM_SCALE_MOST 0x1p500

#endif
