/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moving shapes of a block, a shape a lane (simd/ref/swept.h is the scalar form). */
#ifndef CAROM_SIMD_SWEPT_LANES_H
#define CAROM_SIMD_SWEPT_LANES_H

#include "simd/pose_lanes.h"
#include "simd/swept.h"

/* The fields of carom_swept. */
typedef struct carom_swept_lanes {
    vd at[3];
    vd move[3];
    vd turn[4];
    vd end_turn[4];
    vd half[3];
    vd radius;
    vd core_reach;
    vd rotation[4];
    vd square;
    vd length;
    vd ratio;
    vd sum;
    vdm valid;
    vdm rests;
} carom_swept_lanes;

static inline vdm vdm_all(void) {
    return vd_le(vd_set1(0.0), vd_set1(0.0));
}

static inline vdm vd_equal(vd a, vd b) {
    return vdm_and(vd_le(a, b), vd_le(b, a));
}

/* a + x b */
static inline vd vd_swept_term(double a, vd x, vd b) {
    return vd_add(vd_set1(a), vd_mul(x, b));
}

static inline vd vd_swept_sum3(vd a, vd b, vd c) {
    return vd_add(vd_add(a, b), c);
}

static inline vdm carom_swept_lanes_along(const vd w[4], vd p[4]) {
    const vd x =
        vd_mul(vd_set1(0.25), vd_dot(w, w));
    vd sine = vd_swept_term(1.0 / 362880.0, x, vd_set1(-1.0 / 39916800.0));
    sine = vd_swept_term(-1.0 / 5040.0, x, sine);
    sine = vd_swept_term(1.0 / 120.0, x, sine);
    sine = vd_swept_term(-1.0 / 6.0, x, sine);
    sine = vd_swept_term(1.0, x, sine);
    vd cosine = vd_swept_term(1.0 / 40320.0, x, vd_set1(-1.0 / 3628800.0));
    cosine = vd_swept_term(-1.0 / 720.0, x, cosine);
    cosine = vd_swept_term(1.0 / 24.0, x, cosine);
    cosine = vd_swept_term(-0.5, x, cosine);
    for (int d = 0; d < 3; d++) {
        p[d] = vd_mul(vd_mul(vd_set1(0.5), sine), w[d]);
    }
    p[3] = vd_swept_term(1.0, x, cosine);
    return vd_le(x, vd_set1(CAROM_SWEPT_ANGLE_MOST));
}

/* a b - c d */
static inline vd vd_swept_difference(vd a, vd b, vd c, vd d) {
    return vd_sub(vd_mul(a, b), vd_mul(c, d));
}

static inline void carom_swept_lanes_between(const vd from[4], const vd to[4], vd p[4]) {
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3;
        const int f = (d + 2) % 3;
        p[d] = vd_add(vd_swept_difference(to[d], from[3], to[3], from[d]), vd_mul(to[f], from[e]));
        p[d] = vd_sub(p[d], vd_mul(to[e], from[f]));
    }
    p[3] = vd_swept_sum3(vd_mul(to[3], from[3]), vd_mul(to[0], from[0]), vd_mul(to[1], from[1]));
    p[3] = vd_add(p[3], vd_mul(to[2], from[2]));
    const vdm longer = vd_lt(p[3], vd_set1(0.0));
    for (int d = 0; d < 3; d++) {
        p[d] = vd_select(longer, vd_negate(p[d]), p[d]);
    }
    p[3] = vd_abs(p[3]);
}

static inline void carom_swept_lanes_product(const vd p[4], const vd q[4], vd product[4]) {
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3;
        const int f = (d + 2) % 3;
        product[d] = vd_swept_sum3(vd_mul(p[3], q[d]), vd_mul(p[d], q[3]), vd_mul(p[e], q[f]));
        product[d] = vd_sub(product[d], vd_mul(p[f], q[e]));
    }
    product[3] = vd_sub(vd_swept_difference(p[3], q[3], p[0], q[0]), vd_mul(p[1], q[1]));
    product[3] = vd_sub(product[3], vd_mul(p[2], q[2]));
}

static inline void carom_swept_lanes_measure(carom_swept_lanes *s) {
    const vd *p = s->rotation;
    s->square = vd_dot(p, p);
    const vd whole = vd_add(s->square, vd_mul(p[3], p[3]));
    const vd sine_square = vd_div(s->square, whole);
    vd series = vd_swept_term(8.0 / 45.0, sine_square, vd_set1(0.125));
    series = vd_swept_term(1.0 / 3.0, sine_square, series);
    series = vd_swept_term(1.0, sine_square, series);
    s->ratio = vd_mul(vd_mul(vd_div(vd_set1(4.0), whole), series), vd_set1(1.0 + CAROM_SWEPT_RATIO_ERROR));
    s->length = vd_sqrt(whole);
    s->core_reach = vd_sqrt(vd_dot(s->half, s->half));
    s->valid = vdm_and(s->valid, vd_le(sine_square, vd_set1(CAROM_SWEPT_SINE_MOST)));
}

static inline vdm carom_swept_lanes_keep_turn(const carom_swept_lanes *s, bool along, const vd end[4]) {
    vdm keeps = vdm_all();
    for (int d = 0; d < (along ? 3 : 4); d++) {
        keeps = vdm_and(keeps, vd_equal(end[d], along ? vd_set1(0.0) : s->turn[d]));
    }
    return keeps;
}

static inline void carom_swept_lanes_take_path(const carom_block_side *side, const carom_block_motion *motion,
                                               uint32_t n, carom_swept_lanes *s) {
    s->sum = vd_set1(0.0);
    for (int d = 0; d < 3; d++) {
        s->half[d] = vd_load(side->extent[d] + n);
        s->at[d] = vd_load(side->at[d] + n);
        s->move[d] = vd_sub(vd_load(motion->end[d] + n), s->at[d]);
        s->sum = vd_add(s->sum, vd_add(vd_abs(s->at[d]), vd_abs(s->move[d])));
        s->rests = vdm_and(s->rests, vd_equal(s->move[d], vd_set1(0.0)));
    }
}

static inline void carom_swept_lanes_take(const carom_block_side *side, const carom_block_motion *motion, uint32_t n,
                                          carom_swept_lanes *s) {
    vd end[4];
    for (int d = 0; d < 4; d++) {
        s->turn[d] = vd_load(side->turn[d] + n);
        end[d] = vd_load(motion->end_turn[d] + n);
    }
    s->radius = vd_load(side->radius + n);
    s->rests = carom_swept_lanes_keep_turn(s, motion->along, end);
    carom_swept_lanes_take_path(side, motion, n, s);
    if (motion->along) {
        s->valid = carom_swept_lanes_along(end, s->rotation);
    } else {
        vd square = vd_dot(end, end);
        square = vd_add(square, vd_mul(end[3], end[3]));
        s->valid =
            vdm_and(vd_le(vd_set1(CAROM_TURN_SQUARE_LEAST), square), vd_le(square, vd_set1(CAROM_TURN_SQUARE_MOST)));
        carom_swept_lanes_between(s->turn, end, s->rotation);
    }
    carom_swept_lanes_product(s->rotation, s->turn, s->end_turn);
    carom_swept_lanes_measure(s);
}

static inline vd carom_swept_lanes_root(vd square, vd less) {
    const vd rest = vd_max(vd_set1(0.0), vd_sub(square, less));
    return vd_sqrt(vd_add(rest, vd_mul(vd_set1(CAROM_SWEPT_SQUARE_ERROR), square)));
}

static inline vd carom_swept_lanes_across(const carom_swept_lanes *s, int d) {
    return carom_swept_lanes_root(s->square, vd_mul(s->rotation[d], s->rotation[d]));
}

static inline vd carom_swept_lanes_around(const carom_swept_lanes *s, vd start[3][3]) {
    vd sums[3];
    for (int c = 0; c < 3; c++) {
        sums[c] = vd_mul(s->half[c], vd_swept_sum3(vd_mul(start[0][c], s->rotation[0]), vd_mul(start[1][c], s->rotation[1]),
                                                   vd_mul(start[2][c], s->rotation[2])));
    }
    const vd both = vd_add(sums[0], sums[1]);
    const vd other = vd_sub(sums[0], sums[1]);
    const vd first = vd_min(vd_abs(vd_add(both, sums[2])), vd_abs(vd_sub(both, sums[2])));
    const vd second = vd_min(vd_abs(vd_add(other, sums[2])), vd_abs(vd_sub(other, sums[2])));
    const vd least = vd_min(first, second);
    return carom_swept_lanes_root(vd_mul(s->square, vd_mul(s->core_reach, s->core_reach)), vd_mul(least, least));
}

/* Numbers of a path, in columns. */
typedef struct carom_path_lanes {
    double middle[3][CAROM_PAIRS];
    double half_way[3][CAROM_PAIRS];
    double turn[4][CAROM_PAIRS];
    double spread[CAROM_PAIRS];
} carom_path_lanes;

static inline vdm carom_swept_lanes_path(const carom_swept_lanes *s, vd reach, carom_path_lanes *path) {
    const vd half = vd_set1(0.5);
    const vd spread = vd_mul(vd_mul(half, s->core_reach), vd_sqrt(vd_mul(s->ratio, s->square)));
    const vd size = vd_add(reach, s->sum);
    for (int d = 0; d < 3; d++) {
        const vd way = vd_mul(half, s->move[d]);
        vd_store(path->middle[d], vd_add(s->at[d], way));
        vd_store(path->half_way[d], way);
    }
    for (int d = 0; d < 4; d++) {
        vd_store(path->turn[d], vd_add(s->turn[d], vd_div(s->end_turn[d], s->length)));
    }
    const vd whole = vd_add(spread, vd_mul(vd_set1(CAROM_PATH_ROUNDING), vd_add(spread, size)));
    vd_store(path->spread, whole);
    const vd most = vd_set1(CAROM_PATH_MOST);
    return vdm_and(vd_lt(size, most), vd_lt(whole, most));
}

#endif
