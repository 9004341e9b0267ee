/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moving shapes of a block, a shape a lane (simd/ref/swept.h is the scalar form). */
#ifndef CAROM_SIMD_SWEPT_LANES_H
#define CAROM_SIMD_SWEPT_LANES_H

#include "simd/extent_lanes.h"
#include "simd/pose_lanes.h"
#include "simd/swept.h"

/* The fields of carom_swept. */
typedef struct carom_swept_lanes {
    carom_kind_lanes kinds;
    vd at[3];
    vd move[3];
    vd turn[4];
    vd end_turn[4];
    vd half[3];
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

static inline __attribute__((always_inline)) vd carom_swept_lanes_core_reach(const carom_swept_lanes *s, vd reach) {
    const uint32_t round = carom_kind_lanes_curved(s->kinds) | carom_kind_lanes_bits(s->kinds, CAROM_SHAPE_HULL);
    return vd_select(vdm_from_bits(round), reach, vd_sqrt(vd_dot(s->half, s->half)));
}

/* s->kinds is set. */
static inline __attribute__((always_inline)) void carom_swept_lanes_take(const carom_block_side *side, const carom_block_motion *motion, vd reach,
                                          uint32_t n, carom_swept_lanes *s) {
    vd end[4];
    for (int d = 0; d < 4; d++) {
        s->turn[d] = vd_load(side->turn[d] + n);
        end[d] = vd_load(motion->end_turn[d] + n);
    }
    s->rests = carom_swept_lanes_keep_turn(s, motion->along, end);
    carom_swept_lanes_take_path(side, motion, n, s);
    s->core_reach = carom_swept_lanes_core_reach(s, reach);
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

static inline vd carom_swept_lanes_root(vd left, vd whole) {
    return vd_sqrt(vd_add(vd_max(vd_set1(0.0), left), vd_mul(vd_set1(CAROM_SWEPT_SQUARE_ERROR), whole)));
}

static inline vd carom_swept_lanes_across(const carom_swept_lanes *s, int d) {
    return carom_swept_lanes_root(vd_sub(s->square, vd_mul(s->rotation[d], s->rotation[d])), s->square);
}

static inline vd carom_swept_lanes_least_corner(const vd v[3]) {
    const vd both = vd_add(v[0], v[1]);
    const vd other = vd_sub(v[0], v[1]);
    const vd first = vd_min(vd_abs(vd_add(both, v[2])), vd_abs(vd_sub(both, v[2])));
    const vd second = vd_min(vd_abs(vd_add(other, v[2])), vd_abs(vd_sub(other, v[2])));
    return vd_min(first, second);
}

static inline vd carom_swept_lanes_least_rim(const vd v[3]) {
    const vd flat = vd_sqrt(vd_add(vd_mul(v[0], v[0]), vd_mul(v[1], v[1])));
    return vd_max(vd_set1(0.0), vd_sub(vd_abs(v[2]), flat));
}

static inline vd carom_swept_lanes_around_ellipsoid(const carom_swept_lanes *s, const vd v[3], vd whole) {
    vd e[3];
    vd m[3];
    vd rest[3];
    for (int d = 0; d < 3; d++) {
        e[d] = vd_mul(s->half[d], s->half[d]);
        m[d] = vd_mul(v[d], v[d]);
        rest[d] = vd_sub(s->square, m[d]);
    }
    const vd trace = vd_dot(e, rest);
    const vd minor[3] = {vd_mul(e[1], e[2]), vd_mul(e[0], e[2]), vd_mul(e[0], e[1])};
    const vd product = vd_mul(vd_set1(4.0), vd_mul(s->square, vd_dot(minor, m)));
    const vd split = vd_max(vd_set1(0.0), vd_sub(vd_mul(trace, trace), product));
    const vd root = vd_sqrt(vd_add(split, vd_mul(vd_set1(CAROM_SWEPT_SPLIT_ERROR), vd_mul(whole, whole))));
    return vd_mul(vd_set1(0.5), vd_add(trace, root));
}

static inline double carom_swept_lanes_around_hull(const carom_hull *hull, const double v[3], double square) {
    vd most = vd_set1(0.0);
    for (uint32_t n = 0; n < hull->vertex_count; n += CAROM_PAIRS) {
        const vd s[3] = {vd_load(hull->vertex[0] + n), vd_load(hull->vertex[1] + n), vd_load(hull->vertex[2] + n)};
        const vd way[3] = {vd_set1(v[0]), vd_set1(v[1]), vd_set1(v[2])};
        const vd along = vd_dot(way, s);
        most = vd_max(vd_sub(vd_mul(vd_set1(square), vd_dot(s, s)), vd_mul(along, along)), most);
    }
    return vd_greatest(most);
}

/* Lanes without a hull are 0. */
static inline vd carom_swept_lanes_around_hulls(const carom_swept_lanes *s, const carom_block_side *side, uint32_t n,
                                                const vd v[3]) {
    const uint32_t hulls = carom_kind_lanes_bits(s->kinds, CAROM_SHAPE_HULL);
    double way[3][CAROM_PAIRS];
    double square[CAROM_PAIRS];
    double most[CAROM_PAIRS] = {0.0};
    vd_store_vector(way, v);
    vd_store(square, s->square);
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        if ((hulls >> l & 1) != 0) {
            const double one[3] = {way[0][l], way[1][l], way[2][l]};
            most[l] = carom_swept_lanes_around_hull(side->shape[n + l]->hull, one, square[l]);
        }
    }
    return vd_load(most);
}

static inline __attribute__((always_inline)) vd carom_swept_lanes_around(const carom_swept_lanes *s, const carom_block_side *side, uint32_t n,
                                          vd start[3][3]) {
    const vd whole = vd_mul(s->square, vd_mul(s->core_reach, s->core_reach));
    const uint32_t ellipsoids = carom_kind_lanes_bits(s->kinds, CAROM_SHAPE_ELLIPSOID);
    const uint32_t hulls = carom_kind_lanes_bits(s->kinds, CAROM_SHAPE_HULL);
    const uint32_t rims = carom_kind_lanes_curved(s->kinds) & ~ellipsoids;
    vd v[3];
    vd stretched[3];
    for (int c = 0; c < 3; c++) {
        v[c] = vd_swept_sum3(vd_mul(start[0][c], s->rotation[0]), vd_mul(start[1][c], s->rotation[1]),
                             vd_mul(start[2][c], s->rotation[2]));
        stretched[c] = vd_mul(s->half[c], v[c]);
    }
    vd least = carom_swept_lanes_least_corner(stretched);
    if (rims != 0) {
        least = vd_select(vdm_from_bits(rims), carom_swept_lanes_least_rim(stretched), least);
    }
    vd left = vd_sub(whole, vd_mul(least, least));
    if (ellipsoids != 0) {
        left = vd_select(vdm_from_bits(ellipsoids), carom_swept_lanes_around_ellipsoid(s, v, whole), left);
    }
    if (hulls != 0) {
        left = vd_select(vdm_from_bits(hulls), carom_swept_lanes_around_hulls(s, side, n, v), left);
    }
    return carom_swept_lanes_root(left, whole);
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
