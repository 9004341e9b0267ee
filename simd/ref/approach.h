/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The quadratic of two moving spheres in scalar form: what simd/approach.h computes in every lane. */
#ifndef CAROM_SIMD_REF_APPROACH_H
#define CAROM_SIMD_REF_APPROACH_H

#include <math.h>
#include <stdbool.h>

#include "simd/isa.h"

typedef struct approach {
    double p[3];
    double v[3];
    double sum_radius;
    double a;
    double b;
    double c;
    double discriminant;
} approach;

static inline double dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline approach approach_of(const CAROM_REAL(carom_record) * i, const CAROM_REAL(carom_record) * k) {
    approach x;
    for (int a = 0; a < 3; a++) {
        x.p[a] = (double)i->prev[a] - (double)k->prev[a];
        x.v[a] = ((double)i->curr[a] - (double)k->curr[a]) - x.p[a];
    }
    double cross[3] = {x.p[1] * x.v[2] - x.p[2] * x.v[1], x.p[2] * x.v[0] - x.p[0] * x.v[2],
                       x.p[0] * x.v[1] - x.p[1] * x.v[0]};
    x.sum_radius = (double)i->radius + (double)k->radius;
    double square = x.sum_radius * x.sum_radius;
    x.a = dot(x.v, x.v);
    x.b = dot(x.p, x.v);
    x.c = dot(x.p, x.p) - square;
    x.discriminant = square * x.a - dot(cross, cross);
    return x;
}

static inline bool approach_touches(const approach *x) {
    if (x->c <= 0) {
        return true;
    }
    if (!(x->b < 0 && x->a > 0)) {
        return false;
    }
    if (x->a + x->b < 0) {
        return x->a + x->b + x->b + x->c <= 0;
    }
    return x->discriminant >= 0;
}

#endif
