/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The formulas of a contact in scaled numbers: for the few pairs of which doubles cannot hold a square, a difference
 * or a product (simd/approach_limits.h). */
#ifndef CAROM_SIMD_REF_CONTACT_SCALED_H
#define CAROM_SIMD_REF_CONTACT_SCALED_H

#include <stdbool.h>

#include "simd/precision.h"
#include "simd/ref/scaled.h"

/* A contact before it is rounded to what the rows hold. */
typedef struct contact {
    double t_ca;
    double distance;
    double t_toi;
    double normal[3];
    double point[3];
} contact;

typedef struct scaled_approach {
    scaled p[3];
    scaled v[3];
    scaled sum_radius;
} scaled_approach;

static inline scaled scaled_difference(double a, double b) {
    return scaled_subtract(scaled_of(a), scaled_of(b));
}

static inline scaled scaled_dot(const scaled x[3], const scaled y[3]) {
    const scaled two = scaled_add(scaled_multiply(x[0], y[0]), scaled_multiply(x[1], y[1]));
    return scaled_add(two, scaled_multiply(x[2], y[2]));
}

static inline scaled_approach scaled_approach_of(const carom_record *i, const carom_record *k) {
    scaled_approach x;
    for (int a = 0; a < 3; a++) {
        const scaled end = scaled_difference((double)i->curr[a], (double)k->curr[a]);
        x.p[a] = scaled_difference((double)i->prev[a], (double)k->prev[a]);
        x.v[a] = scaled_subtract(end, x.p[a]);
    }
    x.sum_radius = scaled_add(scaled_of((double)i->radius), scaled_of((double)k->radius));
    return x;
}

/* |p + t v| and the vector itself. */
static inline scaled scaled_approach_at(const scaled_approach *x, scaled t, scaled at[3]) {
    for (int a = 0; a < 3; a++) {
        at[a] = scaled_add(x->p[a], scaled_multiply(t, x->v[a]));
    }
    return scaled_root(scaled_dot(at, at));
}

/* t_ca and distance. */
static inline void scaled_closest(const scaled_approach *x, contact *c) {
    scaled at[3];
    const scaled a = scaled_dot(x->v, x->v);
    const scaled slope = scaled_subtract(scaled_of(0.0), scaled_dot(x->p, x->v));
    const scaled time = a.mantissa > 0.0 ? scaled_clamp_unit(scaled_divide(slope, a)) : scaled_of(0.0);
    c->t_ca = scaled_double(time);
    c->distance = scaled_double(scaled_approach_at(x, time, at));
}

/* Body k at time t. Of a pair within the limits this is prev + t (curr - prev), as doubles have it; the other form does
 * without that difference. */
static inline scaled scaled_centre(const carom_record *k, int a, scaled t, bool within) {
    const scaled prev = scaled_of((double)k->prev[a]);
    const scaled curr = scaled_of((double)k->curr[a]);
    if (within) {
        return scaled_add(prev, scaled_multiply(t, scaled_subtract(curr, prev)));
    }
    return scaled_add(scaled_subtract(prev, scaled_multiply(t, prev)), scaled_multiply(t, curr));
}

/* normal and point at t_toi. */
static inline void scaled_impact(const scaled_approach *x, const carom_record *k, bool within, contact *c) {
    scaled at[3];
    const scaled time = scaled_of(c->t_toi);
    const scaled length = scaled_approach_at(x, time, at);
    const scaled gap = scaled_subtract(length, x->sum_radius);
    const scaled reach = scaled_add(scaled_of((double)k->radius), scaled_multiply(gap, scaled_of(0.5)));
    for (int a = 0; a < 3; a++) {
        const scaled along = length.mantissa > 0.0 ? scaled_divide(at[a], length) : scaled_of(a == 0 ? 1.0 : 0.0);
        const scaled centre = scaled_centre(k, a, time, within);
        c->normal[a] = scaled_double(along);
        c->point[a] = scaled_double(scaled_add(centre, scaled_multiply(along, reach)));
    }
}

#endif
