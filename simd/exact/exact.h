/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Decisions as exact arithmetic on the inputs makes them, and times from it, for the few pairs that doubles cannot
 * decide or could only time roughly. */
#ifndef CAROM_SIMD_EXACT_EXACT_H
#define CAROM_SIMD_EXACT_EXACT_H

#include <stdbool.h>

/* Whether two bodies, each given by prev (3), radius and curr (3), touch in the step, for any finite values and
 * radii >= 0. With p = prev_i - prev_k, v = (curr_i - curr_k) - p, R = r_i + r_k, A = v.v, B = p.v, C = p.p - R^2:
 * C <= 0 touches at the start; else A = 0 or B >= 0 never; else A + B < 0 (still approaching at the end) if
 * A + 2B + C <= 0; else if B^2 - A C >= 0. Some ten nanoseconds where p, v and R are integers of twelve bits in some
 * unit, for which doubles are exact; else integers of up to 8,405 bits on the stack: some hundred nanoseconds for
 * values of similar size, some microseconds at worst. */
bool carom_exact_touches(const double i[7], const double k[7]);

/* The first t in [0, 1] at which two such bodies, which touch in the step, are at distance R, or 0 if they touch at the
 * start: C / (-B + sqrt(B^2 - A C)), never more and by at most 2^-51 of itself less. */
double carom_exact_time(const double i[7], const double k[7]);

#endif
