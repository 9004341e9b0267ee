/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* simd/quick_floats.h, a pair a lane. */
#ifndef CAROM_SIMD_QUICK_LANES_H
#define CAROM_SIMD_QUICK_LANES_H


#include "simd/apart_lanes.h"
#include "simd/quick_floats.h"

/* What is known of pairs before they are tested. */
typedef struct carom_quick_lanes {
    vf between[3]; /* the way from i to k */
    vf turn[2][4]; /* quaternions */
    vf row[2][CAROM_APART_ROW];
    vf limit;    /* what the bracket is widened by on both sides */
    vf frame[9]; /* of hulls: k's rotation in the frame of i, */
    vf way[3];   /* and the way */
} carom_quick_lanes;

/* A bracket that is not widened yet. Of pairs that are apart `upper` has no meaning: they have `far`. */
typedef struct carom_quick_bracket {
    vf lower;  /* of pairs that are apart */
    vf within; /* of the others */
    vf upper;
    vf far;
} carom_quick_bracket;

static inline vf carom_quick_dot(const vf a[3], const vf b[3]) {
    return carom_apart_sum(a[0], b[0], a[1], b[1], a[2], b[2]);
}

static inline vf carom_quick_sizes(const vf v[3]) {
    return vf_add(vf_add(vf_abs(v[0]), vf_abs(v[1])), vf_abs(v[2]));
}

static inline vf carom_quick_clamp(vf x, vf h) {
    return vf_max(vf_min(x, h), vf_negate(h));
}

static inline void carom_quick_column(vf turn[3][3], int c, vf column[3]) {
    for (int d = 0; d < 3; d++) {
        column[d] = turn[d][c];
    }
}

static inline carom_quick_bracket carom_quick_solid(carom_quick_lanes *pair) {
    const vf zero = vf_set1(0.0F);
    const vf radius = pair->row[0][CAROM_APART_HALF];
    const vf *half = pair->row[1] + CAROM_APART_HALF;
    vf turn[3][3];
    vf square = zero;
    vf most = vf_set1(-HUGE_VALF);
    carom_apart_turns(pair->turn[1], turn);
    for (int d = 0; d < 3; d++) {
        vf axis[3];
        carom_quick_column(turn, d, axis);
        const vf beyond = vf_sub(vf_abs(carom_quick_dot(axis, pair->between)), half[d]);
        const vf outside = vf_max(beyond, zero);
        square = vf_add(square, vf_mul(outside, outside));
        most = vf_max(beyond, most);
    }
    const vf s = vf_sub(vf_add(vf_sqrt(square), vf_min(most, zero)), radius);
    return (carom_quick_bracket){s, s, s, s};
}

/* The axis of a capsule, and half its length; of a sphere that is about 0. */
static inline vf carom_quick_segment(const carom_quick_lanes *pair, int side, vf axis[3]) {
    vf turn[3][3];
    carom_apart_turns(pair->turn[side], turn);
    carom_quick_column(turn, 2, axis);
    return vf_sub(pair->row[side][CAROM_APART_HALF + 2], pair->row[side][CAROM_APART_HALF]);
}

/* From the point t of k's segment to the point s of i's, as numbers along the axes from the middle. */
static inline void carom_quick_closest(const carom_quick_lanes *pair, vf axis[2][3], const vf h[2], vf way[3]) {
    const vf d = carom_quick_dot(axis[0], axis[1]);
    const vf along_i = carom_quick_dot(axis[0], pair->between);
    const vf along_k = carom_quick_dot(axis[1], pair->between);
    const vf square = vf_max(vf_sub(vf_set1(1.0F), vf_mul(d, d)), vf_set1(CAROM_QUICK_PARALLEL));
    vf s = carom_quick_clamp(vf_div(vf_sub(along_i, vf_mul(d, along_k)), square), h[0]);
    const vf t = carom_quick_clamp(vf_sub(vf_mul(d, s), along_k), h[1]);
    s = carom_quick_clamp(vf_add(vf_mul(d, t), along_i), h[0]);
    for (int a = 0; a < 3; a++) {
        way[a] = vf_add(pair->between[a], vf_sub(vf_mul(t, axis[1][a]), vf_mul(s, axis[0][a])));
    }
}

static inline carom_quick_bracket carom_quick_segments(carom_quick_lanes *pair) {
    const vf zero = vf_set1(0.0F);
    vf axis[2][3];
    vf way[3];
    const vf h[2] = {carom_quick_segment(pair, 0, axis[0]), carom_quick_segment(pair, 1, axis[1])};
    carom_quick_closest(pair, axis, h, way);
    const vf radius = vf_add(pair->row[0][CAROM_APART_HALF], pair->row[1][CAROM_APART_HALF]);
    const vf length = vf_sqrt(carom_quick_dot(way, way));
    const vf beside = vf_add(vf_mul(h[0], vf_abs(carom_quick_dot(way, axis[0]))),
                             vf_mul(h[1], vf_abs(carom_quick_dot(way, axis[1]))));
    const vf gap = vf_div(vf_sub(carom_quick_dot(way, pair->between), beside), length);
    const vfm is_known = vfm_and(vf_lt(pair->limit, length), vf_lt(zero, gap));
    const vf lower = vf_sub(vf_select(is_known, gap, zero), radius);
    const vf upper = vf_sub(length, radius);
    return (carom_quick_bracket){lower, lower, upper, upper};
}

/* How far the boxes are apart along their sides and along the products of edges. Notes where k is in the frame of i. */
static inline __attribute__((always_inline)) void carom_quick_axes(carom_quick_lanes *pair, vf *sides, vf *edges) {
    carom_apart_lanes box[2];
    vf between[3];
    for (int s = 0; s < 2; s++) {
        carom_apart_lanes_place(pair->row[s], pair->turn[s], &box[s]);
    }
    for (int a = 0; a < 3; a++) {
        between[a] = vf_add(pair->between[a], vf_sub(box[1].centre[a], box[0].centre[a]));
    }
    const carom_apart_frame_lanes frame = carom_apart_frame_of(&box[0], &box[1], between);
    *sides = carom_apart_side_gaps(&box[0], &box[1], frame.t, NULL, frame.c, frame.size);
    *edges = carom_apart_edge_gaps(&box[0], &box[1], frame.t, NULL, frame.c, frame.size);
    vf_copy(pair->frame, frame.c, 9);
    carom_apart_to_frame(&box[0], pair->between, pair->way);
}

/* Boxes that overlap have the height along some axis; boxes that do not have none that is negative. */
static inline carom_quick_bracket carom_quick_boxes(carom_quick_lanes *pair) {
    vf sides;
    vf edges;
    carom_quick_axes(pair, &sides, &edges);
    const vf most = vf_max(edges, sides);
    const vfm overlaps = vf_le(vf_add(most, pair->limit), vf_set1(0.0F));
    return (carom_quick_bracket){most, sides, vf_select(overlaps, most, vf_set1(HUGE_VALF)),
                                 carom_quick_sizes(pair->between)};
}

static inline carom_quick_bracket carom_quick_hulls(carom_quick_lanes *pair) {
    const vf reach = vf_add(pair->row[0][CAROM_APART_REACH], pair->row[1][CAROM_APART_REACH]);
    const vf inner = vf_add(pair->row[0][CAROM_APART_INNER], pair->row[1][CAROM_APART_INNER]);
    const vf length = vf_sqrt(carom_quick_dot(pair->between, pair->between));
    const vf balls = vf_sub(length, reach);
    vf sides;
    vf edges;
    carom_quick_axes(pair, &sides, &edges);
    const vf within = vf_max(balls, sides);
    return (carom_quick_bracket){vf_max(edges, within), within, vf_sub(length, inner), vf_add(length, reach)};
}

#endif
