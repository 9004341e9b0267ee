/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Posed shapes of a block of pairs, a pair a lane, and what closed forms do with them (simd/ref/closed_work.h is the
 * scalar form). */
#ifndef CAROM_SIMD_POSE_LANES_H
#define CAROM_SIMD_POSE_LANES_H

#include <float.h>

#include "simd/pair_block.h"
#include "simd/ref/closed_work.h"
#include "simd/vector_lanes.h"

typedef struct carom_pose_lanes {
    vd at[3];
    vd turn[3][3];
    vd extent[3];
    vd radius;
} carom_pose_lanes;

static inline void carom_lanes_load(double (*column)[CAROM_BLOCK_ROOM], uint32_t n, vd v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = vd_load(column[d] + n);
    }
}

static inline void carom_lanes_store(double (*column)[CAROM_BLOCK_ROOM], uint32_t n, const vd v[3]) {
    for (int d = 0; d < 3; d++) {
        vd_store(column[d] + n, v[d]);
    }
}

/* The matrices of quaternions q (carom_pose_turn). */
static inline void carom_lanes_turn(const vd q[4], vd turn[3][3]) {
    const vd one = vd_set1(1.0);
    const vd square =
        vd_add(vd_add(vd_add(vd_mul(q[0], q[0]), vd_mul(q[1], q[1])), vd_mul(q[2], q[2])), vd_mul(q[3], q[3]));
    const vd scale = vd_div(vd_set1(2.0), square);
    const vd x = vd_mul(scale, q[0]);
    const vd y = vd_mul(scale, q[1]);
    const vd z = vd_mul(scale, q[2]);
    turn[0][0] = vd_sub(one, vd_add(vd_mul(y, q[1]), vd_mul(z, q[2])));
    turn[1][1] = vd_sub(one, vd_add(vd_mul(x, q[0]), vd_mul(z, q[2])));
    turn[2][2] = vd_sub(one, vd_add(vd_mul(x, q[0]), vd_mul(y, q[1])));
    turn[0][1] = vd_sub(vd_mul(x, q[1]), vd_mul(z, q[3]));
    turn[1][0] = vd_add(vd_mul(x, q[1]), vd_mul(z, q[3]));
    turn[0][2] = vd_add(vd_mul(x, q[2]), vd_mul(y, q[3]));
    turn[2][0] = vd_sub(vd_mul(x, q[2]), vd_mul(y, q[3]));
    turn[1][2] = vd_sub(vd_mul(y, q[2]), vd_mul(x, q[3]));
    turn[2][1] = vd_add(vd_mul(y, q[2]), vd_mul(x, q[3]));
}

static inline void carom_lanes_pose(carom_block_side *side, uint32_t n, carom_pose_lanes *pose) {
    vd q[4];
    for (int d = 0; d < 4; d++) {
        q[d] = vd_load(side->turn[d] + n);
    }
    carom_lanes_load(side->at, n, pose->at);
    carom_lanes_load(side->extent, n, pose->extent);
    pose->radius = vd_load(side->radius + n);
    carom_lanes_turn(q, pose->turn);
}

/* The part of carom_lanes_pose that spheres need. */
static inline void carom_lanes_centre(carom_block_side *side, uint32_t n, carom_pose_lanes *pose) {
    carom_lanes_load(side->at, n, pose->at);
    pose->radius = vd_load(side->radius + n);
}

/* The lanes whose rotation and position are those of valid bodies (carom_ref_pose_is_valid). */
static inline vdm carom_lanes_are_valid(carom_block_side *side, uint32_t n) {
    vd square = vd_set1(0.0);
    for (int d = 0; d < 4; d++) {
        const vd q = vd_load(side->turn[d] + n);
        square = d == 0 ? vd_mul(q, q) : vd_add(square, vd_mul(q, q));
    }
    vdm valid =
        vdm_and(vd_le(vd_set1(CAROM_TURN_SQUARE_LEAST), square), vd_le(square, vd_set1(CAROM_TURN_SQUARE_MOST)));
    for (int d = 0; d < 3; d++) {
        valid = vdm_and(valid, vd_le(vd_abs(vd_load(side->at[d] + n)), vd_set1(DBL_MAX)));
    }
    return valid;
}

static inline void carom_lanes_between(carom_pose_lanes *i, carom_pose_lanes *k, vd between[3]) {
    for (int d = 0; d < 3; d++) {
        between[d] = vd_sub(i->at[d], k->at[d]);
    }
}

static inline void carom_lanes_column(vd turn[3][3], int c, vd axis[3]) {
    for (int d = 0; d < 3; d++) {
        axis[d] = turn[d][c];
    }
}

/* Directions in the shapes' frames (carom_pose_to_local). */
static inline void carom_lanes_to_local(vd turn[3][3], const vd v[3], vd local[3]) {
    for (int d = 0; d < 3; d++) {
        vd axis[3];
        carom_lanes_column(turn, d, axis);
        local[d] = vd_dot(axis, v);
    }
}

/* And back (carom_pose_from_local). */
static inline void carom_lanes_from_local(vd turn[3][3], const vd local[3], vd v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = vd_dot(turn[d], local);
    }
}

/* What is added to both sides of a bracket: `part` of `size`. */
static inline vd carom_lanes_error(double part, vd size) {
    const vd error = vd_add(vd_mul(vd_set1(part), size), vd_set1(CAROM_CLOSED_LEAST));
    return vd_select(vd_lt(vd_set1(0.0), size), error, vd_set1(0.0));
}

/* Stores brackets, widened by the rounding of lengths whose sum is `size` (carom_closed_bracket). */
static inline void carom_lanes_bracket(vd lower, vd upper, vd size, carom_pair_block *block, uint32_t n) {
    const vd error = carom_lanes_error(CAROM_CLOSED_ERROR, size);
    vd_store(block->lower + n, vd_sub(lower, error));
    vd_store(block->upper + n, vd_add(upper, error));
}

#endif
