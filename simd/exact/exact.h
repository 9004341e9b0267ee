/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Level 4 of the decision (simd/approach_touches.h): exact arithmetic, for the few pairs that doubles cannot decide or
 * could only time roughly. Two bodies come in, each as prev (0 to 2), radius (3) and curr (4 to 6), in any unit; the
 * decision, or the time of the first touch, goes out. This is the definition of "touch" that all levels implement.
 *
 * With p = prev_i - prev_k, v = (curr_i - curr_k) - p and R = r_i + r_k the bodies are at distance R where
 * |p + t v|^2 = R^2. With A = v.v, B = p.v, C = p.p - R^2, D = B^2 - A C they touch in the step, t in [0, 1],
 *   - if C <= 0: at the start;
 *   - else never, if A = 0 or B >= 0: they do not approach;
 *   - else, if A + B < 0, so that they still approach at the end: if A + 2B + C <= 0, that is, at the end;
 *   - else, being closest within the step: if D >= 0. */
#ifndef CAROM_SIMD_EXACT_EXACT_H
#define CAROM_SIMD_EXACT_EXACT_H

#include <stdbool.h>

/* Whether two bodies touch in the step, for any finite values and radii >= 0; hidden ones, of radius minus infinity,
 * touch nothing. It takes some ten nanoseconds where p, v
 * and R are integers of twelve bits in some unit, for which doubles are exact. Else it takes integers of up to 8,405
 * bits on the stack: some hundred nanoseconds for values of similar size, some microseconds at worst. */
bool carom_exact_touches(const double i[7], const double k[7]);

/* Whether B < 0, for such bodies: their distance falls at the start. As costly as the above. */
bool carom_exact_approaches(const double i[7], const double k[7]);

/* The first t in [0, 1] at which two such bodies, which touch in the step, are at distance R, or 0 if they touch at the
 * start: C / (-B + sqrt(D)), which does not cancel. Never more than that, and by at most 2^-51 of itself less; 0 if it
 * is below the normal doubles. */
double carom_exact_time(const double i[7], const double k[7]);

#endif
