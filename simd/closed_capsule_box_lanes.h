/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A capsule against a box, a pair a lane. simd/ref/closed_capsule_box.c is the scalar form: its segment_box and
 * best_direction say what the fields mean, and its functions have the reasons. */
#ifndef CAROM_SIMD_CLOSED_CAPSULE_BOX_LANES_H
#define CAROM_SIMD_CLOSED_CAPSULE_BOX_LANES_H

#include <math.h>

#include "simd/pose_lanes.h"
#include "simd/ref/closed_capsule_box.h"

typedef struct carom_segment_box_lanes {
    vd p[3];
    vd u[3];
    vd square[3]; /* of the components of u */
    vd half;
    vd h[3];
    vd enter[3];
    vd leave[3];
    vd beside[3];
    vd size;
    vd margin;
} carom_segment_box_lanes;

typedef struct carom_direction_lanes {
    vd n[3];
    vd length;
    vd height;
    vd highest;
    vdm is_edge;
    vdm on_side[3]; /* n is not 0 along this axis */
    vd side[3];     /* the box's side that n points to */
} carom_direction_lanes;

static inline vdm carom_capsule_box_lanes_not_0(vd x) {
    return vd_lt(vd_set1(0.0), vd_abs(x));
}

/* Boxes that are segments or points. */
static inline vdm carom_capsule_box_lanes_segments(const vd h[3]) {
    const vd zero = vd_set1(0.0);
    const vdm x = vd_le(h[0], zero);
    const vdm y = vd_le(h[1], zero);
    const vdm z = vd_le(h[2], zero);
    return vdm_or(vdm_and(x, y), vdm_and(z, vdm_or(x, y)));
}

static inline void carom_capsule_box_lanes_make(carom_pose_lanes *i, carom_pose_lanes *k, const vd between[3],
                                                carom_segment_box_lanes *pair) {
    const vd zero = vd_set1(0.0);
    vd axis[3];
    vd u[3];
    carom_lanes_column(i->turn, 2, axis);
    carom_lanes_to_local(k->turn, between, pair->p);
    carom_lanes_to_local(k->turn, axis, u);
    pair->half = i->extent[2];
    pair->size = vd_add(vd_add(vd_sum_of_sizes(between), pair->half), vd_sum_of_sizes(k->extent));
    pair->margin = vd_mul(vd_set1(CAROM_CLOSED_ERROR), pair->size);
    for (int d = 0; d < 3; d++) {
        const vdm moves = vd_le(vd_set1(CAROM_CAPSULE_BOX_LEAST), vd_abs(u[d]));
        const vd scale = vd_div(vd_set1(1.0), vd_select(moves, u[d], vd_set1(1.0)));
        const vd low = vd_mul(vd_sub(vd_negate(k->extent[d]), pair->p[d]), scale);
        const vd high = vd_mul(vd_sub(k->extent[d], pair->p[d]), scale);
        pair->h[d] = k->extent[d];
        pair->u[d] = vd_select(moves, u[d], zero);
        pair->square[d] = vd_mul(pair->u[d], pair->u[d]);
        pair->enter[d] = vd_select(moves, vd_min(low, high), vd_set1(-HUGE_VAL));
        pair->leave[d] = vd_select(moves, vd_max(low, high), vd_set1(HUGE_VAL));
        pair->beside[d] = vd_mul(pair->margin, vd_abs(scale));
    }
}

/* The slope, at t, of half the square of the distance from the box. */
static inline vd carom_capsule_box_lanes_slope(const carom_segment_box_lanes *pair, vd t) {
    vd slope[3];
    for (int d = 0; d < 3; d++) {
        slope[d] = vd_mul(pair->square[d], vd_sub(t, vd_max(pair->enter[d], vd_min(pair->leave[d], t))));
    }
    return vd_add(vd_add(slope[0], slope[1]), slope[2]);
}

/* Narrows the part of the segment in which the slope is 0 by a time at which it bends. */
static inline void carom_capsule_box_lanes_look(const carom_segment_box_lanes *pair, vd time, vd *falls, vd *rises) {
    const vd zero = vd_set1(0.0);
    const vd bend = vd_clamp(time, pair->half);
    const vd slope = carom_capsule_box_lanes_slope(pair, bend);
    *falls = vd_select(vd_le(slope, zero), vd_max(bend, *falls), *falls);
    *rises = vd_select(vd_lt(zero, slope), vd_min(bend, *rises), *rises);
}

/* The zero of the slope; an end, if it has none. */
static inline vd carom_capsule_box_lanes_zero_of_slope(const carom_segment_box_lanes *pair) {
    const vd zero = vd_set1(0.0);
    vd falls = vd_negate(pair->half);
    vd rises = pair->half;
    for (int d = 0; d < 3; d++) {
        carom_capsule_box_lanes_look(pair, pair->enter[d], &falls, &rises);
        carom_capsule_box_lanes_look(pair, pair->leave[d], &falls, &rises);
    }
    const vd falling = carom_capsule_box_lanes_slope(pair, falls);
    const vd rising = carom_capsule_box_lanes_slope(pair, rises);
    const vdm has_rise = vd_lt(zero, rising);
    const vd part = vd_div(vd_negate(falling), vd_select(has_rise, vd_sub(rising, falling), vd_set1(1.0)));
    const vd between = vd_clamp(vd_add(falls, vd_mul(part, vd_sub(rises, falls))), pair->half);
    return vd_select(vd_lt(zero, falling), falls, vd_select(has_rise, between, rises));
}

/* The t of the segment's point nearest to the box; the middle, if there are several. */
static inline vd carom_capsule_box_lanes_nearest(const carom_segment_box_lanes *pair) {
    vd first = vd_negate(pair->half);
    vd last = pair->half;
    for (int d = 0; d < 3; d++) {
        first = vd_max(pair->enter[d], first);
        last = vd_min(pair->leave[d], last);
    }
    const vd middle = vd_mul(vd_set1(0.5), vd_add(first, last));
    return vd_select(vd_le(first, last), middle, carom_capsule_box_lanes_zero_of_slope(pair));
}

/* The way from the box to the segment's point at t. */
static inline void carom_capsule_box_lanes_way_out(const carom_segment_box_lanes *pair, vd t, vd out[3]) {
    vd_add_scaled(pair->p, t, pair->u, out);
    for (int d = 0; d < 3; d++) {
        out[d] = vd_sub(out[d], vd_clamp(out[d], pair->h[d]));
    }
}

/* Takes the height of a direction as the best one, where it is higher by more than `margin`. Returns these lanes: the
 * caller takes the rest of the direction. */
static inline vdm carom_capsule_box_lanes_take_height(vd height, vd margin, carom_direction_lanes *best) {
    const vdm higher = vd_lt(best->height, vd_sub(height, margin));
    best->highest = vd_max(height, best->highest);
    best->height = vd_select(higher, height, best->height);
    return higher;
}

static inline void carom_capsule_box_lanes_faces(const carom_segment_box_lanes *pair, carom_direction_lanes *best) {
    const vd zero = vd_set1(0.0);
    for (int d = 0; d < 3; d++) {
        const vd reach = vd_add(pair->h[d], vd_mul(pair->half, vd_abs(pair->u[d])));
        const vdm higher = carom_capsule_box_lanes_take_height(vd_sub(vd_abs(pair->p[d]), reach), zero, best);
        for (int e = 0; e < 3; e++) {
            best->n[e] = vd_select(higher, e == d ? vd_sign_of(pair->p[d]) : zero, best->n[e]);
        }
    }
}

static inline void carom_capsule_box_lanes_edges(const carom_segment_box_lanes *pair, carom_direction_lanes *best) {
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        const vd place = vd_sub(vd_mul(pair->u[c], pair->p[b]), vd_mul(pair->u[b], pair->p[c]));
        const vd sign = vd_sign_of(place);
        const vd length = vd_sqrt(vd_add(pair->square[b], pair->square[c]));
        const vd reach = vd_add(vd_mul(pair->h[b], vd_abs(pair->u[c])), vd_mul(pair->h[c], vd_abs(pair->u[b])));
        const vd height = vd_div(vd_sub(vd_abs(place), reach), length);
        const vdm has_length = vd_lt(vd_set1(0.0), length);
        const vdm higher =
            carom_capsule_box_lanes_take_height(vd_select(has_length, height, vd_set1(-HUGE_VAL)), pair->margin, best);
        best->n[a] = vd_select(higher, vd_set1(0.0), best->n[a]);
        best->n[b] = vd_select(higher, vd_mul(sign, pair->u[c]), best->n[b]);
        best->n[c] = vd_select(higher, vd_negate(vd_mul(sign, pair->u[b])), best->n[c]);
        best->length = vd_select(higher, length, best->length);
        best->is_edge = vdm_or(best->is_edge, higher);
    }
}

/* The best of six directions: the normals of faces, and the common normals of the segment and edges. */
static inline void carom_capsule_box_lanes_six(const carom_segment_box_lanes *pair, carom_direction_lanes *best) {
    best->length = vd_set1(1.0);
    best->height = vd_set1(-HUGE_VAL);
    best->highest = vd_set1(-HUGE_VAL);
    best->is_edge = vdm_from_bits(0);
    for (int d = 0; d < 3; d++) {
        best->n[d] = vd_set1(0.0);
    }
    carom_capsule_box_lanes_faces(pair, best);
    carom_capsule_box_lanes_edges(pair, best);
    for (int d = 0; d < 3; d++) {
        const vd h = pair->h[d];
        best->on_side[d] = carom_capsule_box_lanes_not_0(best->n[d]);
        best->side[d] = vd_select(vd_lt(best->n[d], vd_set1(0.0)), vd_negate(h), h);
    }
}

/* The direction `out`, made tangent to the segment by a part of u, replaces the best one in lanes `apart` where it is
 * higher. */
static inline void carom_capsule_box_lanes_tangent(const carom_segment_box_lanes *pair, vd t, const vd out[3],
                                                   const vd u[3], vdm apart, carom_direction_lanes *best) {
    const vd zero = vd_set1(0.0);
    vd n[3];
    vd size[3];
    const vd square = vd_dot(u, u);
    const vd part = vd_div(vd_dot(u, out), vd_select(vd_lt(zero, square), square, vd_set1(1.0)));
    const vdm inside = vd_le(vd_abs(vd_sub(t, part)), pair->half);
    vd_add_scaled(out, vd_negate(vd_select(inside, part, zero)), u, n);
    for (int d = 0; d < 3; d++) {
        size[d] = vd_abs(n[d]);
    }
    const vd left = vd_dot(n, n);
    const vd length = vd_sqrt(left);
    const vd reach = vd_add(vd_dot(pair->h, size), vd_mul(pair->half, vd_abs(vd_dot(n, pair->u))));
    const vd height = vd_div(vd_sub(vd_dot(n, pair->p), reach), length);
    const vdm has = vd_lt(vd_mul(vd_set1(CAROM_CAPSULE_BOX_TANGENT), vd_dot(out, out)), left);
    const vdm higher = vdm_and(vdm_and(apart, has), vd_lt(best->height, height));
    best->height = vd_select(higher, height, best->height);
    best->length = vd_select(higher, length, best->length);
    for (int d = 0; d < 3; d++) {
        best->n[d] = vd_select(higher, n[d], best->n[d]);
    }
}

/* The direction from the box to the nearest point, made tangent, replaces the best one in lanes `apart` where it is
 * higher. */
static inline void carom_capsule_box_lanes_apart(const carom_segment_box_lanes *pair, vd t, const vd out[3],
                                                 vd distance, vdm apart, carom_direction_lanes *best) {
    vd u[3];
    for (int d = 0; d < 3; d++) {
        u[d] = vd_select(carom_capsule_box_lanes_not_0(out[d]), pair->u[d], vd_set1(0.0));
    }
    carom_capsule_box_lanes_tangent(pair, t, out, u, apart, best);
    const vdm low = vdm_and(apart, vd_lt(best->height, vd_sub(distance, pair->margin)));
    if (vdm_bits(low) != 0) {
        carom_capsule_box_lanes_tangent(pair, t, out, pair->u, low, best);
    }
}

/* Where the segment is deepest under a face. */
static inline vd carom_capsule_box_lanes_deepest(const carom_segment_box_lanes *pair, const carom_direction_lanes *best,
                                                 vd t) {
    vd first = vd_negate(pair->half);
    vd last = pair->half;
    for (int d = 0; d < 3; d++) {
        first = vd_select(best->on_side[d], first, vd_max(vd_sub(pair->enter[d], pair->beside[d]), first));
        last = vd_select(best->on_side[d], last, vd_min(vd_add(pair->leave[d], pair->beside[d]), last));
    }
    const vd rise = vd_dot(best->n, pair->u);
    const vd end = vd_select(vd_lt(vd_set1(0.0), rise), first, last);
    const vdm parallel = vd_le(vd_abs(rise), vd_set1(CAROM_CLOSED_PARALLEL));
    const vd deepest = vd_select(parallel, vd_max(first, vd_min(last, t)), end);
    return vd_select(vd_le(first, last), deepest, t);
}

/* Where the segment passes the edge, both seen along the common normal. */
static inline vd carom_capsule_box_lanes_passing(const carom_segment_box_lanes *pair,
                                                 const carom_direction_lanes *best) {
    vd to[3];
    vd u[3];
    for (int d = 0; d < 3; d++) {
        to[d] = vd_sub(best->side[d], pair->p[d]);
        u[d] = vd_select(best->on_side[d], pair->u[d], vd_set1(0.0));
    }
    return vd_clamp(vd_div(vd_dot(to, u), vd_dot(u, u)), pair->half);
}

/* The points in the box's frame. */
static inline void carom_capsule_box_lanes_points(const carom_segment_box_lanes *pair,
                                                  const carom_direction_lanes *best, vd t, vdm apart, vd of_i[3],
                                                  vd of_k[3]) {
    const vd deep = vd_select(best->is_edge, carom_capsule_box_lanes_passing(pair, best),
                              carom_capsule_box_lanes_deepest(pair, best, t));
    vd_add_scaled(pair->p, vd_select(apart, t, deep), pair->u, of_i);
    for (int d = 0; d < 3; d++) {
        const vd near = vd_clamp(of_i[d], pair->h[d]);
        of_k[d] = vd_select(apart, near, vd_select(best->on_side[d], best->side[d], near));
    }
}

/* The core's answer in the box's frame. Returns the upper bound; best->height is the lower one. */
static inline vd carom_capsule_box_lanes_core(const carom_segment_box_lanes *pair, carom_direction_lanes *best,
                                              vd of_i[3], vd of_k[3]) {
    vd out[3];
    const vd t = carom_capsule_box_lanes_nearest(pair);
    carom_capsule_box_lanes_way_out(pair, t, out);
    carom_capsule_box_lanes_six(pair, best);
    const vd distance = vd_sqrt(vd_dot(out, out));
    const vdm apart = vd_lt(vd_mul(vd_set1(CAROM_CAPSULE_BOX_MEETS), pair->size), distance);
    carom_capsule_box_lanes_points(pair, best, t, apart, of_i, of_k);
    const vd highest = best->highest;
    carom_capsule_box_lanes_apart(pair, t, out, distance, apart, best);
    return vd_select(apart, vd_max(best->height, distance), highest);
}

/* Stores the normal and the points, from the direction and the segment's and the box's points in the box's frame. */
static inline void carom_capsule_box_lanes_store(const carom_pose_lanes *i, carom_pose_lanes *k,
                                                 const carom_direction_lanes *best, vd local[2][3],
                                                 carom_pair_block *block, uint32_t n) {
    vd unit[3];
    vd normal[3];
    vd of_i[3];
    vd of_k[3];
    for (int d = 0; d < 3; d++) {
        unit[d] = vd_div(best->n[d], best->length);
    }
    carom_lanes_from_local(k->turn, unit, normal);
    carom_lanes_from_local(k->turn, local[0], of_i);
    carom_lanes_from_local(k->turn, local[1], of_k);
    for (int d = 0; d < 3; d++) {
        of_i[d] = vd_add(of_i[d], vd_sub(k->at[d], vd_mul(i->radius, normal[d])));
        of_k[d] = vd_add(of_k[d], k->at[d]);
    }
    carom_lanes_store(block->normal, n, normal);
    carom_lanes_store(block->point_i, n, of_i);
    carom_lanes_store(block->point_k, n, of_k);
}

/* Pairs from n on; returns the lanes that are left to the twin. */
static inline vdm carom_capsule_box_lanes_find(carom_pair_block *block, uint32_t n) {
    carom_pose_lanes i;
    carom_pose_lanes k;
    carom_segment_box_lanes pair;
    carom_direction_lanes best;
    vd between[3];
    vd local[2][3];
    carom_lanes_pose(&block->side[0], n, &i);
    carom_lanes_pose(&block->side[1], n, &k);
    carom_lanes_between(&i, &k, between);
    carom_capsule_box_lanes_make(&i, &k, between, &pair);
    const vd upper = carom_capsule_box_lanes_core(&pair, &best, local[0], local[1]);
    carom_capsule_box_lanes_store(&i, &k, &best, local, block, n);
    carom_lanes_bracket(vd_sub(best.height, i.radius), vd_sub(upper, i.radius), vd_add(pair.size, i.radius), block, n);
    return carom_capsule_box_lanes_segments(pair.h);
}

#endif
