/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* simd/impact_time.h, CAROM_LANES / 2 pairs at a time: motions are transposed into registers. The last vector of a call
 * is filled up with copies of its first pair. */
#include "simd/impact_time.h"

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/hull_paths.h"
#include "simd/vec.h"
#include "simd/vector_lanes.h"

#define carom_impact_times CAROM_KERNEL_OF(impact_times)

enum { LANES = CAROM_LANES / 2, FIELDS = 8 };

/* LANES pairs at the later start of each. */
typedef struct pairs {
    vd from;
    vd p[3];
    vd v[3];
    vd sizes[3];
} pairs;

static inline vd place_of(const vd motion[FIELDS], int d, vd from) {
    return vd_add(motion[CAROM_MOTION_X + d],
                  vd_mul(motion[CAROM_MOTION_V + d], vd_sub(from, motion[CAROM_MOTION_START])));
}

static inline pairs pairs_of(const vd a[FIELDS], const vd b[FIELDS]) {
    pairs q = {.from = vd_max(a[CAROM_MOTION_START], b[CAROM_MOTION_START])};
    for (int d = 0; d < 3; d++) {
        q.p[d] = vd_sub(place_of(a, d, q.from), place_of(b, d, q.from));
        q.v[d] = vd_sub(a[CAROM_MOTION_V + d], b[CAROM_MOTION_V + d]);
        q.sizes[d] = vd_add(vd_add(vd_abs(a[CAROM_MOTION_V + d]), vd_abs(b[CAROM_MOTION_V + d])), vd_abs(q.p[d]));
    }
    return q;
}

/* As carom_impact_approaches. */
static inline vdm approaches(const pairs *q, vd b) {
    const vd p[3] = {vd_abs(q->p[0]), vd_abs(q->p[1]), vd_abs(q->p[2])};
    return vd_lt(vd_mul(vd_set1(CAROM_IMPACT_ROUNDING), vd_dot(p, q->sizes)), vd_negate(b));
}

static inline vd times_of(const pairs *q, vd reach) {
    const vd zero = vd_set1(0.0);
    const vd never = vd_set1(INFINITY);
    const vd square = vd_mul(reach, reach);
    const vd away = vd_dot(q->p, q->p);
    const vd speed = vd_dot(q->v, q->v);
    const vd b = vd_dot(q->p, q->v);
    const vd c = vd_sub(away, square);
    vd cross[3];
    vd_cross(q->p, q->v, cross);
    const vd d = vd_sub(vd_mul(speed, square), vd_dot(cross, cross));
    const vd root = vd_sqrt(vd_select(vd_lt(zero, d), d, zero));
    vd t = vd_select(vd_lt(zero, d), vd_div(c, vd_sub(root, b)), never);
    t = vd_select(vd_le(c, zero), vd_select(approaches(q, b), zero, never), t);
    t = vd_add(q->from, vd_select(vd_lt(b, zero), t, never));
    return vd_select(vd_lt(vd_mul(speed, vd_add(away, square)), vd_set1(CAROM_IMPACT_LEAST)), vd_set1(NAN), t);
}

/* The numbers of a vector's motions, of which `count` are there. */
static inline const uint32_t *fill_up(const uint32_t *slot, uint32_t count, uint32_t spare[CAROM_LANES]) {
    return count >= LANES ? slot : vi_fill_up(slot, count, spare);
}

void carom_impact_times(const double *motion_a, const uint32_t *at_a, const double *motion_b, const uint32_t *at_b,
                        const double *reach, uint32_t count, double *t) {
    for (uint32_t n = 0; n < count; n += LANES) {
        uint32_t spare_a[CAROM_LANES];
        uint32_t spare_b[CAROM_LANES];
        vd a[FIELDS];
        vd b[FIELDS];
        vd_rows_f64(motion_a, fill_up(at_a + n, count - n, spare_a), a);
        vd_rows_f64(motion_b, fill_up(at_b + n, count - n, spare_b), b);
        const pairs q = pairs_of(a, b);
        vd_store(t + n, times_of(&q, vd_load(reach + n)));
    }
}
