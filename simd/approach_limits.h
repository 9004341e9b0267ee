/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The limits within which doubles compute the numbers of a contact as if their exponents had no limits. The f64 contact
 * kernel computes a pair beyond them again in numbers with wide exponents (simd/ref/scaled.h), by the same formulas, so
 * that tiny and huge scenes get contacts as exact as others. f32 pairs are always within: products of differences of
 * floats are 0 or above 2^-300, and below 2^600.
 *
 * In the range of simd/margins.h |p|, |v| and R are below 2^250 and |p|^2 + R^2 is above 2^-480: p, v, R and their
 * squares do not overflow. What may underflow are products. One that does errs by at most 2^-1075.
 *
 * Such products change nothing in A = v.v and B = p.v if
 *   - A and |B| are above 2^-960: half a unit in the last place of either is then above 2^-1014. Or if
 *   - v is 0. Or if
 *   - every component of p and v is 0 or at least 2^-230, as in lattices: then no product underflows.
 * They change nothing in |p + t v|, at the closest approach and at the impact, if
 *   - its square is above 2^-960: a component errs by 2^-1075 at most, beside a length above 2^-480. Or if
 *   - every component of p and v is 0 or at least 2^-230, and every one of p + t v is 0. It is then exactly 0: if p_a
 *     is not 0 the sum p_a + t v_a is 0 or at least 2^-283, and t v_a is at least 2^-710 for a t that takes another p_b
 *     to 0.
 *
 * The point of a contact is infinite or NaN only where curr_k - prev_k overflows on some axis. The sum of the
 * three differences is then not finite. */
#ifndef CAROM_SIMD_APPROACH_LIMITS_H
#define CAROM_SIMD_APPROACH_LIMITS_H

/* The least A, |B| and square of a distance that underflow does not change: squares of lengths. */
#define CAROM_SQUARE_LEAST 0x1p-960
/* Where one of those is smaller: the least component of p and v, but for 0, of which no product underflows; a length.
 */
#define CAROM_COMPONENT_LEAST 0x1p-230

#endif
