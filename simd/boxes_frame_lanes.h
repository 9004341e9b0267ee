/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two boxes, seen from a face of one of them, a pair a lane. simd/ref/boxes_frame.h is the scalar form: it says what
 * functions of the same name do, and what the fields of a frame mean. */
#ifndef CAROM_SIMD_BOXES_FRAME_LANES_H
#define CAROM_SIMD_BOXES_FRAME_LANES_H

#include "simd/gather_lanes.h"
#include "simd/ref/boxes_frame.h"

/* One of 0, 1 and 2 in each lane. */
typedef struct carom_axis_lanes {
    vdm past_0; /* 1 or 2 */
    vdm past_1; /* 2 */
} carom_axis_lanes;

typedef struct carom_frame_lanes {
    vd at[3];
    vd axis[3][3];
    vd reference[3];
    vd h[3];
    vd centre[3];
    vd turn[3][3];
} carom_frame_lanes;

static inline vd carom_axis_lanes_of(carom_axis_lanes axis, vd of_0, vd of_1, vd of_2) {
    return vd_select(axis.past_1, of_2, vd_select(axis.past_0, of_1, of_0));
}

/* Renumbers three values, one of each axis, so that that of `axis` is the first. */
static inline void carom_axis_lanes_put_first(carom_axis_lanes axis, const vd v[3], vd ordered[3]) {
    for (int n = 0; n < 3; n++) {
        ordered[n] = carom_axis_lanes_of(axis, v[n], v[(n + 1) % 3], v[(n + 2) % 3]);
    }
}

/* The axis along which v is longest. */
static inline carom_axis_lanes carom_axis_lanes_longest(const vd v[3]) {
    const vdm past_0 = vd_lt(vd_abs(v[0]), vd_abs(v[1]));
    const vd most = vd_select(past_0, vd_abs(v[1]), vd_abs(v[0]));
    return (carom_axis_lanes){past_0, vd_lt(most, vd_abs(v[2]))};
}

/* One mask in some lanes, another one in all others. */
static inline vdm carom_lanes_choose_mask(vdm some, vdm mask, vdm other) {
    return vdm_or(vdm_and(some, mask), vdm_and_not(other, some));
}

/* One axis in some lanes, another one in all others. */
static inline carom_axis_lanes carom_axis_lanes_choose(vdm some, carom_axis_lanes axis, carom_axis_lanes other) {
    return (carom_axis_lanes){carom_lanes_choose_mask(some, axis.past_0, other.past_0),
                              carom_lanes_choose_mask(some, axis.past_1, other.past_1)};
}

/* The faces of axes `a`, on the sides of `sign`, 1 or -1 (carom_boxes_frame_make): of i where `of_i`, else of k. */
static inline void carom_frame_lanes_make(const carom_pose_lanes *i, const carom_pose_lanes *k, vdm of_i,
                                          carom_axis_lanes a, vd sign, carom_frame_lanes *frame) {
    const vd least = vd_set1(CAROM_CLOSED_BOXES_LEAST);
    carom_pose_lanes reference;
    carom_pose_lanes incident;
    carom_lanes_choose(of_i, i, k, &reference);
    carom_lanes_choose(of_i, k, i, &incident);
    vd between[3];
    for (int d = 0; d < 3; d++) {
        vd ordered[3];
        carom_axis_lanes_put_first(a, reference.turn[d], ordered);
        between[d] = vd_sub(incident.at[d], reference.at[d]);
        frame->at[d] = reference.at[d];
        frame->h[d] = incident.extent[d];
        frame->axis[0][d] = ordered[1];
        frame->axis[1][d] = ordered[2];
        frame->axis[2][d] = vd_mul(sign, ordered[0]);
    }
    vd ordered[3];
    carom_axis_lanes_put_first(a, reference.extent, ordered);
    frame->reference[0] = ordered[1];
    frame->reference[1] = ordered[2];
    frame->reference[2] = ordered[0];
    for (int r = 0; r < 3; r++) {
        frame->centre[r] = vd_dot(frame->axis[r], between);
        for (int c = 0; c < 3; c++) {
            vd axis[3];
            carom_lanes_column(incident.turn, c, axis);
            const vd along = vd_dot(frame->axis[r], axis);
            frame->turn[r][c] = vd_select(vd_lt(vd_abs(along), least), vd_set1(0.0), along);
        }
    }
}

/* Renumbers the incident boxes' axes so that c is the first. */
static inline void carom_frame_lanes_put_first(carom_frame_lanes *frame, carom_axis_lanes c) {
    vd ordered[3];
    carom_axis_lanes_put_first(c, frame->h, ordered);
    vd_copy(frame->h, ordered, 3);
    for (int r = 0; r < 3; r++) {
        carom_axis_lanes_put_first(c, frame->turn[r], ordered);
        vd_copy(frame->turn[r], ordered, 3);
    }
}

static inline void carom_frame_lanes_add_axis(carom_frame_lanes *frame, int c, vd t, vd point[3]) {
    for (int r = 0; r < 3; r++) {
        point[r] = vd_add(point[r], vd_mul(t, frame->turn[r][c]));
    }
}

static inline vd carom_frame_lanes_to_lowest(carom_frame_lanes *frame, int c) {
    return vd_select(vd_lt(frame->turn[2][c], vd_set1(0.0)), frame->h[c], vd_negate(frame->h[c]));
}

static inline void carom_frame_lanes_vector_to_scene(carom_frame_lanes *frame, const vd v[3], vd out[3]) {
    for (int d = 0; d < 3; d++) {
        out[d] = vd_add(vd_add(vd_mul(frame->axis[0][d], v[0]), vd_mul(frame->axis[1][d], v[1])),
                        vd_mul(frame->axis[2][d], v[2]));
    }
}

static inline void carom_frame_lanes_point_to_scene(carom_frame_lanes *frame, const vd local[3], vd point[3]) {
    carom_frame_lanes_vector_to_scene(frame, local, point);
    for (int d = 0; d < 3; d++) {
        point[d] = vd_add(point[d], frame->at[d]);
    }
}

static inline vd carom_frame_lanes_size(carom_frame_lanes *frame) {
    return vd_add(vd_add(vd_sum_of_sizes(frame->centre), vd_sum_of_sizes(frame->reference)), vd_sum_of_sizes(frame->h));
}

#endif
