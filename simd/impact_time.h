/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* When a sphere of a radius, the reach, around the origin is met by a point that moves past it. */
#ifndef CAROM_SIMD_IMPACT_TIME_H
#define CAROM_SIMD_IMPACT_TIME_H

#include "simd/vector.h"

/* Below this, products of lengths and speeds may be too small for doubles. */
#define CAROM_IMPACT_LEAST 0x1p-900

/* Rounding of p.v, relative to the sum of the sizes of its terms. Bodies that touch approach if -p.v is more. Less may
 * be what rounding left of an impact; another impact would leave as much again, without end where several bodies touch.
 */
#define CAROM_IMPACT_ROUNDING 0x1p-50

/* Whether two that touch approach, where p is between their centres, p.v is b, and sizes[d] =
 * |v_i[d]| + |v_k[d]| + |p[d]|: what would move them in a whole step by rounding of their distance is no approach
 * either. Else a body between two walls would lose a part of its speed again and again, until none is left. */
static inline bool carom_impact_approaches(const double p[3], double b, const double sizes[3]) {
    const double terms = fabs(p[0]) * sizes[0] + fabs(p[1]) * sizes[1] + fabs(p[2]) * sizes[2];
    return CAROM_IMPACT_ROUNDING * terms < -b;
}

/* The least t >= 0 at which p + v t is within `reach` of 0, where no product is too small for doubles. */
static inline double carom_impact_time_plain(const double p[3], const double v[3], double reach,
                                             const double sizes[3]) {
    const double b = carom_vector_dot(p, v);
    if (!(b < 0.0)) {
        return INFINITY;
    }
    const double c = carom_vector_dot(p, p) - reach * reach;
    if (c <= 0.0) {
        return carom_impact_approaches(p, b, sizes) ? 0.0 : INFINITY;
    }
    double cross[3];
    carom_vector_cross(p, v, cross);
    const double d = carom_vector_dot(v, v) * (reach * reach) - carom_vector_dot(cross, cross);
    return d > 0.0 ? c / (sqrt(d) - b) : INFINITY;
}

/* Whether some product may be too small. */
static inline bool carom_impact_time_is_small(const double p[3], const double v[3], double reach) {
    return carom_vector_dot(v, v) * (carom_vector_dot(p, p) + reach * reach) < CAROM_IMPACT_LEAST;
}

#endif
