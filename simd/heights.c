/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Heights of gaps over planes that turn: simd/ref/heights.c, a pair a lane. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/difference_lanes.h"
#include "simd/ref/turn.h"

#define carom_heights CAROM_KERNEL_OF(heights)
#define carom_heights_twin CAROM_TWIN_OF(heights)

/* So few pairs are faster one by one. */
enum { TWIN_MOST = CAROM_PAIRS / 4 };

typedef struct swing {
    carom_posed_lanes posed; /* `at` is the arm, `turn` the start */
    double angle[CAROM_PAIRS];
    double axis[3][CAROM_PAIRS];
    vd sine;
    vd cosine;
} swing;

typedef struct lanes {
    swing i;
    swing k;
    double t[CAROM_PAIRS];
    double between[3][CAROM_PAIRS];
    double normal[3][CAROM_PAIRS];
    double axis[CAROM_HEIGHT_PLANES][3][CAROM_PAIRS];
    double angle[CAROM_HEIGHT_PLANES][CAROM_PAIRS];
    double turned[CAROM_HEIGHT_PLANES][3][CAROM_PAIRS];
    double height[CAROM_HEIGHT_PLANES][CAROM_PAIRS];
} lanes;

static inline vd pair_of_terms(double a, vd z, double b) {
    return vd_add(vd_set1(a), vd_mul(z, vd_set1(b)));
}

static inline vd series_sine(vd r) {
    const vd z = vd_mul(r, r);
    const vd z2 = vd_mul(z, z);
    const vd z4 = vd_mul(z2, z2);
    const vd low =
        vd_add(pair_of_terms(-1.0 / 6.0, z, 1.0 / 120.0), vd_mul(z2, pair_of_terms(-1.0 / 5040.0, z, 1.0 / 362880.0)));
    const vd high = vd_add(pair_of_terms(-1.0 / 39916800.0, z, 1.0 / 6227020800.0),
                           vd_mul(z2, pair_of_terms(-1.0 / 1307674368000.0, z, 1.0 / 355687428096000.0)));
    return vd_add(r, vd_mul(r, vd_mul(z, vd_add(low, vd_mul(z4, high)))));
}

static inline vd series_cosine(vd r) {
    const vd z = vd_mul(r, r);
    const vd z2 = vd_mul(z, z);
    const vd z4 = vd_mul(z2, z2);
    const vd low =
        vd_add(pair_of_terms(1.0 / 24.0, z, -1.0 / 720.0), vd_mul(z2, pair_of_terms(1.0 / 40320.0, z, -1.0 / 3628800.0)));
    const vd high = vd_add(pair_of_terms(1.0 / 479001600.0, z, -1.0 / 87178291200.0),
                           vd_mul(z2, vd_set1(1.0 / 20922789888000.0)));
    return vd_sub(vd_set1(1.0), vd_mul(z, vd_sub(vd_set1(0.5), vd_mul(z, vd_add(low, vd_mul(z4, high))))));
}

static inline vd whole(vd x) {
    return vd_sub(vd_add(x, vd_set1(CAROM_TURN_WHOLE)), vd_set1(CAROM_TURN_WHOLE));
}

static inline void sine_cosine(vd angle, vd *sine, vd *cosine) {
    const vd x = vd_select(vd_lt(vd_abs(angle), vd_set1(CAROM_TURN_MOST)), angle, vd_set1(0.0));
    const vd n = whole(vd_mul(x, vd_set1(CAROM_TURN_PER_HALF_PI)));
    const vd near = vd_sub(x, vd_mul(n, vd_set1(CAROM_TURN_HALF_PI_0)));
    const vd r = vd_sub(vd_sub(near, vd_mul(n, vd_set1(CAROM_TURN_HALF_PI_1))), vd_mul(n, vd_set1(CAROM_TURN_HALF_PI_2)));
    const vd quarters = vd_sub(n, vd_mul(vd_set1(4.0), whole(vd_mul(vd_set1(0.25), n))));
    const vd size = vd_abs(quarters);
    const vdm swapped = vdm_and(vd_lt(vd_set1(0.5), size), vd_lt(size, vd_set1(1.5)));
    const vd s = series_sine(r);
    const vd c = series_cosine(r);
    const vd first = vd_select(swapped, c, s);
    const vd second = vd_select(swapped, s, c);
    const vdm sine_falls = vdm_or(vd_lt(quarters, vd_set1(-0.5)), vd_lt(vd_set1(1.5), quarters));
    const vdm cosine_falls = vdm_or(vd_lt(quarters, vd_set1(-1.5)), vd_lt(vd_set1(0.5), quarters));
    *sine = vd_select(sine_falls, vd_negate(first), first);
    *cosine = vd_select(cosine_falls, vd_negate(second), second);
}

static inline void rotate(const vd axis[3], vd sine, vd cosine, const vd v[3], vd rotated[3]) {
    vd across[3];
    vd_cross(axis, v, across);
    const vd along = vd_mul(vd_dot(axis, v), vd_sub(vd_set1(1.0), cosine));
    for (int a = 0; a < 3; a++) {
        rotated[a] = vd_add(vd_add(vd_mul(v[a], cosine), vd_mul(across[a], sine)), vd_mul(axis[a], along));
    }
}

static inline void load(double column[][CAROM_PAIRS], vd x[3]) {
    for (int a = 0; a < 3; a++) {
        x[a] = vd_load(column[a]);
    }
}

static inline vd support(carom_shape_kind kind, swing *s, const vd n[3]) {
    vd axis[3];
    vd back[3];
    vd arm[3];
    vd local[3];
    vd point[3];
    load(s->axis, axis);
    rotate(axis, vd_negate(s->sine), s->cosine, n, back);
    for (int a = 0; a < 3; a++) {
        const vd column[3] = {vd_load(s->posed.turn[0][a]), vd_load(s->posed.turn[1][a]), vd_load(s->posed.turn[2][a])};
        local[a] = vd_dot(column, back);
    }
    carom_support_lanes_local(kind, &s->posed, local, point);
    load(s->posed.at, arm);
    return vd_add(vd_dot(back, arm), vd_dot(local, point));
}

static inline void answer(lanes *s, carom_shape_kind kind_i, carom_shape_kind kind_k, uint32_t planes) {
    const vd t = vd_load(s->t);
    vd between[3];
    vd normal[3];
    sine_cosine(vd_mul(t, vd_load(s->i.angle)), &s->i.sine, &s->i.cosine);
    sine_cosine(vd_mul(t, vd_load(s->k.angle)), &s->k.sine, &s->k.cosine);
    load(s->between, between);
    load(s->normal, normal);
    for (uint32_t p = 0; p < planes; p++) {
        vd sine;
        vd cosine;
        vd axis[3];
        vd n[3];
        load(s->axis[p], axis);
        sine_cosine(vd_load(s->angle[p]), &sine, &cosine);
        rotate(axis, sine, cosine, normal, n);
        const vd back[3] = {vd_negate(n[0]), vd_negate(n[1]), vd_negate(n[2])};
        const vd far_i = support(kind_i, &s->i, back);
        const vd far_k = support(kind_k, &s->k, n);
        for (int a = 0; a < 3; a++) {
            vd_store(s->turned[p][a], n[a]);
        }
        vd_store(s->height[p], vd_sub(vd_sub(vd_dot(n, between), far_i), far_k));
    }
}

static inline void take_swing(swing *s, uint32_t l, const carom_shape_entry *shape, const carom_swing *from) {
    s->posed.hull[l] = shape->hull;
    s->angle[l] = from->angle;
    for (int a = 0; a < 3; a++) {
        s->posed.extent[a][l] = shape->extent[a];
        s->posed.at[a][l] = from->arm[a];
        s->axis[a][l] = from->axis[a];
        for (int b = 0; b < 3; b++) {
            s->posed.turn[a][b][l] = from->start[a][b];
        }
    }
}

static inline void take(lanes *s, uint32_t l, const carom_height_query *q, uint32_t planes) {
    take_swing(&s->i, l, q->shape_i, q->i);
    take_swing(&s->k, l, q->shape_k, q->k);
    s->t[l] = q->t;
    for (int a = 0; a < 3; a++) {
        s->between[a][l] = q->between[a];
        s->normal[a][l] = q->normal[a];
    }
    for (uint32_t p = 0; p < planes; p++) {
        s->angle[p][l] = q->angle[p];
        for (int a = 0; a < 3; a++) {
            s->axis[p][a][l] = q->axis[p][a];
        }
    }
}

static inline void give(const lanes *s, uint32_t l, carom_height_query *q, uint32_t planes) {
    for (uint32_t p = 0; p < planes; p++) {
        q->height[p] = s->height[p][l];
        for (int a = 0; a < 3; a++) {
            q->turned[p][a] = s->turned[p][a][l];
        }
    }
}

void carom_heights(carom_height_query *queries, uint32_t count, uint32_t planes) {
    lanes s;
    uint32_t begin = 0;
    for (; begin + TWIN_MOST < count; begin += CAROM_PAIRS) {
        const uint32_t some = count - begin < CAROM_PAIRS ? count - begin : CAROM_PAIRS;
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            take(&s, l, &queries[begin + (l < some ? l : 0)], planes);
        }
        answer(&s, queries[0].shape_i->kind, queries[0].shape_k->kind, planes);
        for (uint32_t l = 0; l < some; l++) {
            give(&s, l, &queries[begin + l], planes);
        }
    }
    if (begin < count) {
        carom_heights_twin(queries + begin, count - begin, planes);
    }
}
