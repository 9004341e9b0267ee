/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Minkowski differences of pairs of cores, a pair a lane (simd/ref/difference.h is the scalar form), and the support
 * functions of CAROM_PAIRS cores at once. All i are of one kind, and all k. */
#ifndef CAROM_SIMD_DIFFERENCE_LANES_H
#define CAROM_SIMD_DIFFERENCE_LANES_H

#include <math.h>

#include "simd/convex.h"
#include "simd/ref/difference.h"
#include "simd/vector_lanes.h"

/* A posed shape in each lane. */
typedef struct carom_posed_lanes {
    const carom_hull *hull[CAROM_PAIRS]; /* kind HULL only */
    double extent[3][CAROM_PAIRS];
    double radius[CAROM_PAIRS]; /* kind ELLIPSOID only */
    double at[3][CAROM_PAIRS];
    double turn[3][3][CAROM_PAIRS];
} carom_posed_lanes;

/* Puts a posed shape into lane l. */
static inline void carom_posed_lanes_set(carom_posed_lanes *lanes, uint32_t l, const carom_posed *posed) {
    lanes->hull[l] = posed->shape->hull;
    lanes->radius[l] = posed->shape->radius;
    for (int a = 0; a < 3; a++) {
        lanes->extent[a][l] = posed->shape->extent[a];
        lanes->at[a][l] = posed->at[a];
        for (int b = 0; b < 3; b++) {
            lanes->turn[a][b][l] = posed->turn[a][b];
        }
    }
}

/* Of the vertices n with the same remainder of n / CAROM_PAIRS, in each lane the one that is farthest along d, the
 * first of several: how far, and its number. Without branches on the result: their misses would cost more than all the
 * rest. */
static inline void carom_support_lanes_vertices(const carom_hull *hull, double x, double y, double z, double *far,
                                                double *vertex) {
    static const double numbers[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    const vd dx = vd_set1(x);
    const vd dy = vd_set1(y);
    const vd dz = vd_set1(z);
    vd number = vd_load(numbers);
    vd most = vd_set1(-HUGE_VAL);
    vd best = number;
    for (uint32_t n = 0; n < hull->vertex_count; n += CAROM_PAIRS) {
        const vd along =
            vd_add(vd_add(vd_mul(dx, vd_load(hull->vertex[0] + n)), vd_mul(dy, vd_load(hull->vertex[1] + n))),
                   vd_mul(dz, vd_load(hull->vertex[2] + n)));
        best = vd_select(vd_lt(most, along), number, best);
        most = vd_max(along, most);
        number = vd_add(number, vd_set1(CAROM_PAIRS));
    }
    vd_store(far, most);
    vd_store(vertex, best);
}

/* What carom_support_lanes_vertices found for one hull: first how far, then which. */
enum { CAROM_SUPPORT_ROW = CAROM_PAIRS == 8 ? 16 : 8 };

/* The numbers of the hulls' vertices that are farthest, the lowest of several, from a row for each hull. A hull's row
 * becomes a lane, because a search within a vector takes many steps that wait for one another. */
static inline vd carom_support_lanes_farthest(double row[][CAROM_SUPPORT_ROW]) {
    const double *from[CAROM_PAIRS];
    vd field[CAROM_SUPPORT_ROW];
    for (int first = 0; first < CAROM_SUPPORT_ROW; first += 8) {
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            from[l] = row[l] + first;
        }
        vd_load_rows(from, field + first);
    }
    vd most = field[0];
    for (int c = 1; c < CAROM_PAIRS; c++) {
        most = vd_max(most, field[c]);
    }
    const vd none = vd_set1(CAROM_HULL_POINTS_MAX);
    vd number = none;
    for (int c = 0; c < CAROM_PAIRS; c++) {
        number = vd_min(vd_select(vd_le(most, field[c]), field[CAROM_PAIRS + c], none), number);
    }
    return number;
}

static inline void carom_support_lanes_hull(const carom_posed_lanes *lanes, const vd d[3], vd s[3]) {
    _Alignas(64) double direction[3][CAROM_PAIRS];
    _Alignas(64) double row[CAROM_PAIRS][CAROM_SUPPORT_ROW];
    _Alignas(64) double point[3][CAROM_PAIRS];
    double vertex[CAROM_PAIRS];
    for (int a = 0; a < 3; a++) {
        vd_store(direction[a], d[a]);
    }
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        carom_support_lanes_vertices(lanes->hull[l], direction[0][l], direction[1][l], direction[2][l], row[l],
                                     row[l] + CAROM_PAIRS);
    }
    vd_store(vertex, carom_support_lanes_farthest(row));
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        for (int a = 0; a < 3; a++) {
            point[a][l] = lanes->hull[l]->vertex[a][(uint32_t)vertex[l]];
        }
    }
    for (int a = 0; a < 3; a++) {
        s[a] = vd_load(point[a]);
    }
}

static inline void carom_support_lanes_corner(const carom_posed_lanes *lanes, const vd d[3], vd s[3]) {
    for (int a = 0; a < 3; a++) {
        const vd h = vd_load(lanes->extent[a]);
        s[a] = vd_select(vd_lt(d[a], vd_set1(0.0)), vd_negate(h), h);
    }
}

static inline void carom_support_lanes_circle(const carom_posed_lanes *lanes, const vd d[3], vd s[3]) {
    const vd zero = vd_set1(0.0);
    const vd radius = vd_load(lanes->extent[0]);
    const vd length = vd_sqrt(vd_add(vd_mul(d[0], d[0]), vd_mul(d[1], d[1])));
    const vdm has_length = vd_lt(zero, length);
    s[0] = vd_select(has_length, vd_mul(radius, vd_div(d[0], length)), radius);
    s[1] = vd_select(has_length, vd_mul(radius, vd_div(d[1], length)), zero);
}

static inline void carom_support_lanes_cylinder(const carom_posed_lanes *lanes, const vd d[3], vd s[3]) {
    const vd height = vd_load(lanes->extent[2]);
    carom_support_lanes_circle(lanes, d, s);
    s[2] = vd_select(vd_lt(d[2], vd_set1(0.0)), vd_negate(height), height);
}

static inline void carom_support_lanes_cone(const carom_posed_lanes *lanes, const vd d[3], vd s[3]) {
    const vd zero = vd_set1(0.0);
    const vd height = vd_load(lanes->extent[2]);
    carom_support_lanes_circle(lanes, d, s);
    s[2] = vd_negate(height);
    const vdm at_apex = vd_lt(vd_dot(d, s), vd_mul(d[2], height));
    s[0] = vd_select(at_apex, zero, s[0]);
    s[1] = vd_select(at_apex, zero, s[1]);
    s[2] = vd_select(at_apex, height, s[2]);
}

static inline void carom_support_lanes_ellipsoid(const carom_posed_lanes *lanes, const vd d[3], vd s[3]) {
    const vd zero = vd_set1(0.0);
    const vd radius = vd_load(lanes->radius);
    vd axis[3];
    vd e[3];
    for (int a = 0; a < 3; a++) {
        axis[a] = vd_load(lanes->extent[a]);
        e[a] = vd_mul(axis[a], d[a]);
    }
    const vd length = vd_sqrt(vd_dot(e, e));
    const vd scale = vd_sqrt(vd_dot(d, d));
    const vdm has_length = vdm_and(vd_lt(zero, length), vd_lt(zero, scale));
    for (int a = 0; a < 3; a++) {
        const vd on_ball = vd_mul(radius, vd_div(d[a], scale));
        const vd at = vd_sub(vd_mul(axis[a], vd_div(e[a], length)), on_ball);
        s[a] = vd_select(has_length, at, a == 0 ? vd_sub(axis[0], radius) : zero);
    }
}

/* Points in the shapes' frames. */
static inline void carom_support_lanes_local(carom_shape_kind kind, const carom_posed_lanes *lanes, const vd d[3],
                                             vd s[3]) {
    switch (kind) {
    case CAROM_SHAPE_HULL:
        carom_support_lanes_hull(lanes, d, s);
        break;
    case CAROM_SHAPE_CYLINDER:
        carom_support_lanes_cylinder(lanes, d, s);
        break;
    case CAROM_SHAPE_CONE:
        carom_support_lanes_cone(lanes, d, s);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        carom_support_lanes_ellipsoid(lanes, d, s);
        break;
    default: /* a point, a segment or a box */
        carom_support_lanes_corner(lanes, d, s);
        break;
    }
}

/* How far the cores reach along n, and the points where they do (carom_support). */
static inline vd carom_support_lanes(carom_shape_kind kind, const carom_posed_lanes *lanes, const vd n[3],
                                     vd point[3]) {
    vd d[3];
    vd s[3];
    vd at[3];
    for (int a = 0; a < 3; a++) {
        const vd column[3] = {vd_load(lanes->turn[0][a]), vd_load(lanes->turn[1][a]), vd_load(lanes->turn[2][a])};
        d[a] = vd_dot(column, n);
        at[a] = vd_load(lanes->at[a]);
    }
    carom_support_lanes_local(kind, lanes, d, s);
    for (int a = 0; a < 3; a++) {
        const vd row[3] = {vd_load(lanes->turn[a][0]), vd_load(lanes->turn[a][1]), vd_load(lanes->turn[a][2])};
        point[a] = vd_add(vd_dot(row, s), at[a]);
    }
    return vd_add(vd_dot(d, s), vd_dot(n, at));
}

/* Columns of a carom_difference_point. */
enum { CAROM_POINT_W = 0, CAROM_POINT_A = 3, CAROM_POINT_COLUMNS = 6 };

/* A carom_difference in each lane. All i are of one kind, and all k. */
typedef struct carom_difference_lanes {
    _Alignas(64) carom_posed_lanes i; /* so that no vector lies in two cache lines */
    carom_posed_lanes k;
    double error[CAROM_PAIRS];
    carom_shape_kind kind_i;
    carom_shape_kind kind_k;
} carom_difference_lanes;

static inline void carom_difference_lanes_set(carom_difference_lanes *lanes, uint32_t l,
                                              const carom_difference *difference) {
    carom_posed_lanes_set(&lanes->i, l, difference->i);
    carom_posed_lanes_set(&lanes->k, l, difference->k);
    lanes->error[l] = difference->error;
}

/* The differences' points with the least n.w become the columns `point`. Returns these products
 * (carom_difference_support). */
static inline vd carom_difference_lanes_support(const carom_difference_lanes *lanes, const vd n[3],
                                                double point[][CAROM_PAIRS]) {
    vd back[3];
    vd a[3];
    vd b[3];
    for (int d = 0; d < 3; d++) {
        back[d] = vd_negate(n[d]);
    }
    const vd far_i = carom_support_lanes(lanes->kind_i, &lanes->i, back, a);
    const vd far_k = carom_support_lanes(lanes->kind_k, &lanes->k, n, b);
    for (int d = 0; d < 3; d++) {
        vd_store(point[CAROM_POINT_W + d], vd_sub(a[d], b[d]));
        vd_store(point[CAROM_POINT_A + d], a[d]);
    }
    return vd_sub(vd_negate(far_i), far_k);
}

#endif
