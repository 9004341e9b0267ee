/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The quadratic of two moving spheres in scalar form: what simd/approach.h computes in every lane. */
#ifndef CAROM_SIMD_REF_APPROACH_H
#define CAROM_SIMD_REF_APPROACH_H

#include <math.h>
#include <stdbool.h>

#include "simd/exact/exact.h"
#include "simd/margins.h"
#include "simd/precision.h"

/* The fields of approach_lanes, of one pair. */
typedef struct approach {
    double p[3];
    double v[3];
    double sum_radius;
    double start; /* p.p + R^2 */
    double a;
    double b;
    double c;
    double discriminant;
} approach;

static inline double dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline approach approach_of(const carom_record *i, const carom_record *k) {
    approach x;
    for (int a = 0; a < 3; a++) {
        x.p[a] = (double)i->prev[a] - (double)k->prev[a];
        x.v[a] = ((double)i->curr[a] - (double)k->curr[a]) - x.p[a];
    }
    /* Lagrange's identity: B^2 - A C = R^2 A - |p x v|^2. */
    double cross[3] = {x.p[1] * x.v[2] - x.p[2] * x.v[1], x.p[2] * x.v[0] - x.p[0] * x.v[2],
                       x.p[0] * x.v[1] - x.p[1] * x.v[0]};
    x.sum_radius = (double)i->radius + (double)k->radius;
    double square = x.sum_radius * x.sum_radius;
    double distance = dot(x.p, x.p);
    x.start = distance + square;
    x.a = dot(x.v, x.v);
    x.b = dot(x.p, x.v);
    x.c = distance - square;
    x.discriminant = square * x.a - dot(cross, cross);
    return x;
}

/* Whether the margins hold. */
static inline bool approach_in_range(const approach *x) {
    return x->start > CAROM_SCALE_LEAST && x->start + x->a < CAROM_SCALE_MOST;
}

static inline double manhattan(const double x[3]) {
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

/* No less than the exact |v|; distance is |p|1. */
static inline double path_length(const approach *x, double distance) {
    double length = manhattan(x->v);
    return length + (distance + length) * CAROM_MARGIN_PATH;
}

/* The margin of the discriminant. */
static inline double last_margin(const approach *x) {
    double distance = manhattan(x->p);
    return x->start * (x->a + distance * path_length(x, distance)) * CAROM_MARGIN_LAST;
}

/* Whether they touch, if *certain. */
static inline bool approach_decide(const approach *x, bool *certain) {
    double margin = (x->start + x->a) * CAROM_MARGIN_ANY;
    double path = path_length(x, manhattan(x->p));
    double slope = x->a + x->b;
    bool late = slope < 0.0;
    double value = late ? 0.0 - (slope + x->b + x->c) : x->discriminant;
    double value_margin = late ? margin : last_margin(x);
    bool apart = margin < x->c;
    bool overlap = x->c + margin < 0.0;
    bool far = path * (x->sum_radius + x->sum_radius + path) + (margin + margin) < x->c;
    bool decided = x->b + margin < 0.0 && margin < fabs(slope) && value_margin < fabs(value);
    *certain = overlap || far || (apart && (margin <= x->b || decided));
    if (sizeof(carom_real) == sizeof(double)) { /* f32 pairs are always in range */
        *certain = *certain && approach_in_range(x);
    }
    return overlap || (apart && decided && 0.0 < value);
}

static inline void exact_fields(const carom_record *record, double fields[7]) {
    for (int a = 0; a < 3; a++) {
        fields[a] = (double)record->prev[a];
        fields[4 + a] = (double)record->curr[a];
    }
    fields[3] = (double)record->radius;
}

/* As exact arithmetic on the records decides. It takes levels 2 and 4 only: what the vector form decides in floats and
 * in error-free doubles must come out the same. */
static inline bool approach_touches(const approach *x, const carom_record *i, const carom_record *k) {
    bool certain;
    bool touches = approach_decide(x, &certain);
    if (!certain) {
        double fields[2][7];
        exact_fields(i, fields[0]);
        exact_fields(k, fields[1]);
        touches = carom_exact_touches(fields[0], fields[1]);
    }
    return touches;
}

/* |p + t v|^2 and the vector itself. */
static inline double approach_at(const approach *x, double t, double at[3]) {
    for (int a = 0; a < 3; a++) {
        at[a] = x->p[a] + t * x->v[a];
    }
    return dot(at, at);
}

#endif
