/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* When two bodies on pieces of their paths collide. */
#ifndef CAROM_RESPONSE_PREDICT_H
#define CAROM_RESPONSE_PREDICT_H

#include "kernel/response/piece.h"
#include "simd/impact_time.h"

/* carom_predict_reach in units in which no product is too small: of length, the largest of p and reach, and of speed.
 */
double carom_predict_reach_small(const double p[3], const double v[3], double reach, const double sizes[3]);

/* The least t >= 0 at which p + v t is within `reach` >= 0 of 0, if it comes closer then; INFINITY if there is none.
 * Within reach from the beginning, and coming closer: 0. What only grazes, and what rests, does not come closer,
 * nor does what is within reach and approaches by no more than rounding (simd/impact_time.h), where v = v_i - v_k in
 * lengths a step and sizes[d] = |v_i[d]| + |v_k[d]| + |p[d]|.
 *
 * With B = p.v < 0, A = v.v and C = p.p - reach^2 it is C / (sqrt(D) - B), where D = A reach^2 - |p x v|^2. That is
 * B^2 - A C without its cancellation: at a distance of n reaches it finds grazes to n ulps, not to their root. */
static inline double carom_predict_reach(const double p[3], const double v[3], double reach, const double sizes[3]) {
    return carom_impact_time_is_small(p, v, reach) ? carom_predict_reach_small(p, v, reach, sizes)
                                                   : carom_impact_time_plain(p, v, reach, sizes);
}

/* Time at which two bodies collide, in steps, if both stay on their pieces; INFINITY if they do not. It is at least the
 * later start, and may be 1 or more. `reach` is the sum of their radii, and `shift` stands between body k and the image
 * of it that is meant: 0 where space is open. The bits are the same if i and k change places and `shift` its sign. */
static inline double carom_predict_bodies(const carom_piece *i, const carom_piece *k, double reach,
                                          const double shift[3]) {
    const double begin = i->start > k->start ? i->start : k->start;
    double at_i[3];
    double at_k[3];
    double p[3];
    double v[3];
    double sizes[3];
    carom_piece_at(i, begin, at_i);
    carom_piece_at(k, begin, at_k);
    for (int a = 0; a < 3; a++) {
        p[a] = (at_i[a] - at_k[a]) - shift[a];
        v[a] = i->v[a] - k->v[a];
        sizes[a] = fabs(i->v[a]) + fabs(k->v[a]) + fabs(p[a]);
    }
    return begin + carom_predict_reach(p, v, reach, sizes);
}

#endif
