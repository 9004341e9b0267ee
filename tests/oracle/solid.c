/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/solid.h"

#include <float.h>
#include <math.h>

/* Roundings of a rotated and shifted point, and of a dot product with it: fewer than 64, each of half an ulp. */
static const wide ROUNDINGS = 32 * LDBL_EPSILON;

wide wide_length(const wide v[3]) {
    const wide most = fmaxl(fabsl(v[0]), fmaxl(fabsl(v[1]), fabsl(v[2])));
    if (!(most > 0)) {
        return 0;
    }
    const wide u[3] = {v[0] / most, v[1] / most, v[2] / most};
    return most * sqrtl(wide_dot(u, u));
}

bool wide_unit(wide n[3]) {
    const wide most = fmaxl(fabsl(n[0]), fmaxl(fabsl(n[1]), fabsl(n[2])));
    if (!(most > 0)) {
        return false;
    }
    wide u[3] = {n[0] / most, n[1] / most, n[2] / most};
    const wide length = sqrtl(wide_dot(u, u));
    for (int d = 0; d < 3; d++) {
        n[d] = u[d] / length;
    }
    return true;
}

void solid_turn(const double q[4], wide turn[3][3]) {
    const wide v[3] = {q[0], q[1], q[2]};
    const wide w = q[3];
    const wide square = wide_dot(v, v) + w * w;
    const wide cross[3][3] = {{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            wide sum = w * cross[r][c];
            for (int d = 0; d < 3; d++) {
                sum += cross[r][d] * cross[d][c];
            }
            turn[r][c] = (r == c ? 1 : 0) + (square > 0 ? 2 * sum / square : 0);
        }
    }
}

static wide reach_of(const solid *s) {
    const wide *e = s->extent;
    switch (s->shape->kind) {
    case CAROM_SHAPE_HULL: {
        wide most = 0;
        for (uint64_t n = 0; n < s->shape->point_count; n++) {
            const double *p = s->shape->point[n];
            const wide v[3] = {p[0], p[1], p[2]};
            most = fmaxl(most, wide_length(v));
        }
        return most;
    }
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE: {
        const wide v[3] = {e[0], e[2], 0};
        return wide_length(v);
    }
    case CAROM_SHAPE_ELLIPSOID:
        return fmaxl(e[0], fmaxl(e[1], e[2]));
    default:
        return wide_length(e);
    }
}

static solid solid_of(const solid_input *input) {
    solid s = {.shape = &input->shape};
    const carom_shape *shape = s.shape;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_CAPSULE:
        s.radius = shape->radius;
        s.extent[2] = shape->kind == CAROM_SHAPE_CAPSULE ? shape->extent[2] : 0;
        break;
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        s.extent[0] = s.extent[1] = shape->radius;
        s.extent[2] = shape->extent[2];
        break;
    case CAROM_SHAPE_HULL:
        break;
    default:
        for (int d = 0; d < 3; d++) {
            s.extent[d] = shape->extent[d];
        }
    }
    solid_turn(input->turn, s.turn);
    s.reach = reach_of(&s);
    return s;
}

solid_pair solid_pair_of(const solid_input *i, const solid_input *k) {
    solid_pair pair = {.i = solid_of(i), .k = solid_of(k)};
    for (int d = 0; d < 3; d++) {
        pair.i.at[d] = (wide)i->at[d] - (wide)k->at[d];
    }
    pair.radii = pair.i.radius + pair.k.radius;
    pair.size = pair.i.reach + pair.k.reach + pair.radii + wide_length(pair.i.at);
    pair.noise = ROUNDINGS * pair.size;
    return pair;
}

static void farthest_vertex(const carom_shape *shape, const wide d[3], wide s[3]) {
    wide most = -HUGE_VALL;
    for (uint64_t n = 0; n < shape->point_count; n++) {
        const double *p = shape->point[n];
        const wide far = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
        if (far > most) {
            most = far;
            for (int a = 0; a < 3; a++) {
                s[a] = p[a];
            }
        }
    }
}

/* Of the circle of radius r in the plane z = 0. */
static void farthest_on_circle(wide r, const wide d[3], wide s[3]) {
    wide across[3] = {d[0], d[1], 0};
    const bool any = wide_unit(across);
    s[0] = any ? r * across[0] : r;
    s[1] = any ? r * across[1] : 0;
}

static void farthest_local(const solid *s, const wide d[3], wide p[3]) {
    const wide *e = s->extent;
    switch (s->shape->kind) {
    case CAROM_SHAPE_HULL:
        farthest_vertex(s->shape, d, p);
        break;
    case CAROM_SHAPE_CYLINDER:
        farthest_on_circle(e[0], d, p);
        p[2] = d[2] < 0 ? -e[2] : e[2];
        break;
    case CAROM_SHAPE_CONE:
        farthest_on_circle(e[0], d, p);
        p[2] = -e[2];
        if (d[2] * e[2] > d[0] * p[0] + d[1] * p[1] + d[2] * p[2]) {
            p[0] = p[1] = 0;
            p[2] = e[2];
        }
        break;
    case CAROM_SHAPE_ELLIPSOID: {
        wide u[3] = {e[0] * d[0], e[1] * d[1], e[2] * d[2]};
        wide_unit(u);
        for (int a = 0; a < 3; a++) {
            p[a] = e[a] * u[a];
        }
        break;
    }
    default:
        for (int a = 0; a < 3; a++) {
            p[a] = d[a] < 0 ? -e[a] : e[a];
        }
    }
}

static void to_local(const solid *s, const wide v[3], wide local[3]) {
    for (int d = 0; d < 3; d++) {
        local[d] = s->turn[0][d] * v[0] + s->turn[1][d] * v[1] + s->turn[2][d] * v[2];
    }
}

wide solid_support(const solid *s, const wide n[3], wide point[3]) {
    wide d[3];
    wide p[3] = {0, 0, 0};
    to_local(s, n, d);
    farthest_local(s, d, p);
    for (int a = 0; a < 3; a++) {
        point[a] = s->at[a] + wide_dot(s->turn[a], p);
    }
    return wide_dot(n, point);
}

wide solid_gap_along(const solid_pair *pair, const wide n[3], wide a[3], wide b[3]) {
    const wide back[3] = {-n[0], -n[1], -n[2]};
    const wide low = -solid_support(&pair->i, back, a);
    return low - solid_support(&pair->k, n, b);
}

static wide outside_box(const wide e[3], const wide p[3]) {
    const wide out[3] = {fmaxl(fabsl(p[0]) - e[0], 0), fmaxl(fabsl(p[1]) - e[1], 0), fmaxl(fabsl(p[2]) - e[2], 0)};
    return wide_length(out);
}

static wide outside_cone(const wide e[3], const wide p[3]) {
    const wide across[3] = {p[0], p[1], 0};
    const wide slant[3] = {2 * e[2], e[0], 0};
    const wide length = wide_length(slant);
    const wide side = length > 0 ? (wide_length(across) * slant[0] + (p[2] - e[2]) * slant[1]) / length : 0;
    return fmaxl(side, fmaxl(fabsl(p[2]) - e[2], wide_length(across) - e[0]));
}

/* The gauge |p / e| - 1, times the least semi-axis: at most the distance. */
static wide outside_ellipsoid(const wide e[3], const wide p[3]) {
    const wide u[3] = {p[0] / e[0], p[1] / e[1], p[2] / e[2]};
    return (wide_length(u) - 1) * fminl(e[0], fminl(e[1], e[2]));
}

wide solid_outside(const solid *s, const wide point[3]) {
    wide v[3];
    wide p[3];
    wide_minus(point, s->at, v);
    to_local(s, v, p);
    switch (s->shape->kind) {
    case CAROM_SHAPE_HULL:
        return -HUGE_VALL;
    case CAROM_SHAPE_CYLINDER: {
        const wide across[3] = {p[0], p[1], 0};
        return fmaxl(wide_length(across) - s->extent[0], fabsl(p[2]) - s->extent[2]);
    }
    case CAROM_SHAPE_CONE:
        return outside_cone(s->extent, p);
    case CAROM_SHAPE_ELLIPSOID:
        return outside_ellipsoid(s->extent, p);
    default:
        return outside_box(s->extent, p) - s->radius;
    }
}
