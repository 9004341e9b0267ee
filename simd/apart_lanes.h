/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* simd/apart_boxes.h, a pair a lane. */
#ifndef CAROM_SIMD_APART_LANES_H
#define CAROM_SIMD_APART_LANES_H

#include <math.h>

#include "simd/apart_boxes.h"
#include "simd/kernels.h"
#include "simd/vec.h"

typedef struct carom_apart_lanes {
    vf turn[3][3];
    vf centre[3];
    vf half[3];
    vf size;
} carom_apart_lanes;

static inline void carom_apart_turns(const vf q[4], vf turn[3][3]) {
    const vf one = vf_set1(1.0F);
    const vf square =
        vf_add(vf_add(vf_add(vf_mul(q[0], q[0]), vf_mul(q[1], q[1])), vf_mul(q[2], q[2])), vf_mul(q[3], q[3]));
    const vf scale = vf_div(vf_set1(2.0F), square);
    const vf x = vf_mul(scale, q[0]);
    const vf y = vf_mul(scale, q[1]);
    const vf z = vf_mul(scale, q[2]);
    turn[0][0] = vf_sub(one, vf_add(vf_mul(y, q[1]), vf_mul(z, q[2])));
    turn[1][1] = vf_sub(one, vf_add(vf_mul(x, q[0]), vf_mul(z, q[2])));
    turn[2][2] = vf_sub(one, vf_add(vf_mul(x, q[0]), vf_mul(y, q[1])));
    turn[0][1] = vf_sub(vf_mul(x, q[1]), vf_mul(z, q[3]));
    turn[1][0] = vf_add(vf_mul(x, q[1]), vf_mul(z, q[3]));
    turn[0][2] = vf_add(vf_mul(x, q[2]), vf_mul(y, q[3]));
    turn[2][0] = vf_sub(vf_mul(x, q[2]), vf_mul(y, q[3]));
    turn[1][2] = vf_sub(vf_mul(y, q[2]), vf_mul(x, q[3]));
    turn[2][1] = vf_add(vf_mul(y, q[2]), vf_mul(x, q[3]));
}

/* a0 b0 + a1 b1 + a2 b2. */
static inline vf carom_apart_sum(vf a0, vf b0, vf a1, vf b1, vf a2, vf b2) {
    return vf_add(vf_add(vf_mul(a0, b0), vf_mul(a1, b1)), vf_mul(a2, b2));
}

/* The boxes of rows, of bodies with rotations q. */
static inline void carom_apart_lanes_place(const vf row[CAROM_APART_ROW], const vf q[4], carom_apart_lanes *boxes) {
    const vf *centre = row + CAROM_APART_CENTRE;
    carom_apart_turns(q, boxes->turn);
    boxes->size = vf_set1(0.0F);
    for (int a = 0; a < 3; a++) {
        const vf *r = boxes->turn[a];
        boxes->half[a] = row[CAROM_APART_HALF + a];
        boxes->centre[a] = carom_apart_sum(r[0], centre[0], r[1], centre[1], r[2], centre[2]);
        boxes->size = vf_add(boxes->size, vf_add(vf_abs(centre[a]), boxes->half[a]));
    }
}

/* Those of shapes. */
static inline void carom_apart_lanes_of(const carom_apart *apart, const uint32_t shape[CAROM_LANES], const vf q[4],
                                        carom_apart_lanes *boxes) {
    vf row[CAROM_APART_ROW];
    vf_rows_of_two(apart->box, shape, shape + CAROM_LANES / 2, row);
    carom_apart_lanes_place(row, q, boxes);
}

/* The way `t` from i to k, and the rotation of k, in the frame of i. */
typedef struct carom_apart_frame_lanes {
    vf t[3];
    vf c[9];
    vf size[9];
} carom_apart_frame_lanes;

static inline void carom_apart_to_frame(const carom_apart_lanes *i, const vf way[3], vf local[3]) {
    for (int a = 0; a < 3; a++) {
        local[a] = carom_apart_sum(i->turn[0][a], way[0], i->turn[1][a], way[1], i->turn[2][a], way[2]);
    }
}

static inline carom_apart_frame_lanes carom_apart_frame_of(const carom_apart_lanes *i, const carom_apart_lanes *k,
                                                           const vf between[3]) {
    carom_apart_frame_lanes frame;
    carom_apart_to_frame(i, between, frame.t);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            frame.c[3 * a + b] = carom_apart_sum(i->turn[0][a], k->turn[0][b], i->turn[1][a], k->turn[1][b],
                                                 i->turn[2][a], k->turn[2][b]);
            frame.size[3 * a + b] = vf_abs(frame.c[3 * a + b]);
        }
    }
    return frame;
}

/* How far a way and what is swept along it, if anything, reach beyond the origin on an axis. */
static inline vf carom_apart_beyond(vf along, const vf *swept) {
    return swept != NULL ? vf_sub(vf_abs(along), vf_abs(*swept)) : vf_abs(along);
}

/* Along the sides of both boxes. c is the relative rotation, t the way and v, unless it is NULL, half of the motion, in
 * the frame of i. */
static inline __attribute__((always_inline)) vf carom_apart_side_gaps(const carom_apart_lanes *i,
                                                                      const carom_apart_lanes *k, const vf t[3],
                                                                      const vf *v, const vf c[9], const vf size[9]) {
    vf most = vf_set1(-HUGE_VALF);
    for (int a = 0; a < 3; a++) {
        const vf *s = size + 3 * a;
        const vf radius = carom_apart_sum(s[0], k->half[0], s[1], k->half[1], s[2], k->half[2]);
        const vf beyond = carom_apart_beyond(t[a], v != NULL ? v + a : NULL);
        most = vf_max(vf_sub(beyond, vf_add(i->half[a], radius)), most);
    }
    for (int b = 0; b < 3; b++) {
        const vf along = carom_apart_sum(t[0], c[b], t[1], c[3 + b], t[2], c[6 + b]);
        const vf swept = v != NULL ? carom_apart_sum(v[0], c[b], v[1], c[3 + b], v[2], c[6 + b]) : along;
        const vf radius = carom_apart_sum(size[b], i->half[0], size[3 + b], i->half[1], size[6 + b], i->half[2]);
        const vf beyond = carom_apart_beyond(along, v != NULL ? &swept : NULL);
        most = vf_max(vf_sub(beyond, vf_add(k->half[b], radius)), most);
    }
    return most;
}

/* Along the products of their edges. */
static inline __attribute__((always_inline)) vf carom_apart_edge_gaps(const carom_apart_lanes *i,
                                                                      const carom_apart_lanes *k, const vf t[3],
                                                                      const vf *v, const vf c[9], const vf size[9]) {
    vf most = vf_set1(-HUGE_VALF);
    for (int a = 0; a < 3; a++) {
        const int a1 = (a + 1) % 3;
        const int a2 = (a + 2) % 3;
        for (int b = 0; b < 3; b++) {
            const int b1 = (b + 1) % 3;
            const int b2 = (b + 2) % 3;
            const vf c1 = c[3 * a1 + b];
            const vf c2 = c[3 * a2 + b];
            const vf along = vf_sub(vf_mul(t[a2], c1), vf_mul(t[a1], c2));
            const vf swept = v != NULL ? vf_sub(vf_mul(v[a2], c1), vf_mul(v[a1], c2)) : along;
            const vf of_i = vf_add(vf_mul(i->half[a1], size[3 * a2 + b]), vf_mul(i->half[a2], size[3 * a1 + b]));
            const vf of_k = vf_add(vf_mul(k->half[b1], size[3 * a + b2]), vf_mul(k->half[b2], size[3 * a + b1]));
            const vf beyond = carom_apart_beyond(along, v != NULL ? &swept : NULL);
            most = vf_max(vf_sub(beyond, vf_add(of_i, of_k)), most);
        }
    }
    return most;
}

/* The greatest gaps along all axes. `half_way` is half of the motion of k relative to i; NULL: none. */
static inline __attribute__((always_inline)) vf carom_apart_gaps(const carom_apart_lanes *i, const carom_apart_lanes *k,
                                                                 const vf between[3], const vf *half_way) {
    const carom_apart_frame_lanes frame = carom_apart_frame_of(i, k, between);
    vf v[3];
    if (half_way != NULL) {
        carom_apart_to_frame(i, half_way, v);
    }
    const vf *swept = half_way != NULL ? v : NULL;
    return vf_max(carom_apart_side_gaps(i, k, frame.t, swept, frame.c, frame.size),
                  carom_apart_edge_gaps(i, k, frame.t, swept, frame.c, frame.size));
}

#endif
