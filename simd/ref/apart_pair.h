/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* simd/apart_boxes.h, pair by pair. */
#ifndef CAROM_SIMD_REF_APART_PAIR_H
#define CAROM_SIMD_REF_APART_PAIR_H

#include <math.h>
#include <stdint.h>

#include "simd/apart_boxes.h"
#include "simd/kernels.h"

typedef struct carom_apart_box {
    float turn[3][3];
    float centre[3]; /* of the box, from the body's position */
    float half[3];
    float size; /* of the centre and the half extents */
} carom_apart_box;

static inline void carom_apart_turn(const float q[4], float turn[3][3]) {
    const float scale = 2.0F / (((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    const float x = scale * q[0];
    const float y = scale * q[1];
    const float z = scale * q[2];
    turn[0][0] = 1.0F - (y * q[1] + z * q[2]);
    turn[1][1] = 1.0F - (x * q[0] + z * q[2]);
    turn[2][2] = 1.0F - (x * q[0] + y * q[1]);
    turn[0][1] = x * q[1] - z * q[3];
    turn[1][0] = x * q[1] + z * q[3];
    turn[0][2] = x * q[2] + y * q[3];
    turn[2][0] = x * q[2] - y * q[3];
    turn[1][2] = y * q[2] - x * q[3];
    turn[2][1] = y * q[2] + x * q[3];
}

/* The box of a row, of a body with rotation q. */
static inline carom_apart_box carom_apart_box_place(const float row[CAROM_APART_ROW], const float q[4]) {
    carom_apart_box box;
    const float *centre = row + CAROM_APART_CENTRE;
    carom_apart_turn(q, box.turn);
    box.size = 0.0F;
    for (int a = 0; a < 3; a++) {
        box.half[a] = row[CAROM_APART_HALF + a];
        box.centre[a] = (box.turn[a][0] * centre[0] + box.turn[a][1] * centre[1]) + box.turn[a][2] * centre[2];
        box.size = box.size + (fabsf(centre[a]) + box.half[a]);
    }
    return box;
}

/* That of a shape. */
static inline carom_apart_box carom_apart_box_of(const carom_apart *apart, uint32_t shape, const float q[4]) {
    return carom_apart_box_place(apart->box + CAROM_APART_ROW * (uint64_t)shape, q);
}

static inline float carom_apart_greater(float gap, float most) {
    return gap > most ? gap : most;
}

/* A way in the frame of a rotation. */
static inline void carom_apart_to_frame(const float turn[3][3], const float way[3], float local[3]) {
    for (int a = 0; a < 3; a++) {
        local[a] = (turn[0][a] * way[0] + turn[1][a] * way[1]) + turn[2][a] * way[2];
    }
}

/* The rotation of k in the frame of i. */
static inline void carom_apart_turn_in_frame(const float i[3][3], const float k[3][3], float turn[3][3]) {
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            turn[a][b] = (i[0][a] * k[0][b] + i[1][a] * k[1][b]) + i[2][a] * k[2][b];
        }
    }
}

/* Two boxes in the frame of i. */
typedef struct carom_apart_frame {
    float t[3]; /* the way from i to k */
    float v[3]; /* half of the motion of k relative to i */
    float c[3][3];
    float size[3][3];
} carom_apart_frame;

static inline carom_apart_frame carom_apart_frame_of(const carom_apart_box *i, const carom_apart_box *k,
                                                     const float between[3], const float half_way[3]) {
    carom_apart_frame of;
    carom_apart_to_frame(i->turn, between, of.t);
    carom_apart_to_frame(i->turn, half_way, of.v);
    carom_apart_turn_in_frame(i->turn, k->turn, of.c);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            of.size[a][b] = fabsf(of.c[a][b]);
        }
    }
    return of;
}

/* The greatest gap along the sides of both; those that are no numbers are passed over. */
static inline float carom_apart_side_gap(const carom_apart_box *i, const carom_apart_box *k,
                                         const carom_apart_frame *of) {
    const float *t = of->t;
    const float *v = of->v;
    const float(*c)[3] = of->c;
    const float(*size)[3] = of->size;
    float most = -HUGE_VALF;
    for (int a = 0; a < 3; a++) {
        const float radius = (size[a][0] * k->half[0] + size[a][1] * k->half[1]) + size[a][2] * k->half[2];
        most = carom_apart_greater((fabsf(t[a]) - fabsf(v[a])) - (i->half[a] + radius), most);
    }
    for (int b = 0; b < 3; b++) {
        const float along = (t[0] * c[0][b] + t[1] * c[1][b]) + t[2] * c[2][b];
        const float swept = (v[0] * c[0][b] + v[1] * c[1][b]) + v[2] * c[2][b];
        const float radius = (size[0][b] * i->half[0] + size[1][b] * i->half[1]) + size[2][b] * i->half[2];
        most = carom_apart_greater((fabsf(along) - fabsf(swept)) - (k->half[b] + radius), most);
    }
    return most;
}

/* The same along the products of their edges. */
static inline float carom_apart_edge_gap(const carom_apart_box *i, const carom_apart_box *k,
                                         const carom_apart_frame *of) {
    const float *t = of->t;
    const float *v = of->v;
    const float(*c)[3] = of->c;
    const float(*size)[3] = of->size;
    float most = -HUGE_VALF;
    for (int a = 0; a < 3; a++) {
        const int a1 = (a + 1) % 3;
        const int a2 = (a + 2) % 3;
        for (int b = 0; b < 3; b++) {
            const int b1 = (b + 1) % 3;
            const int b2 = (b + 2) % 3;
            const float along = t[a2] * c[a1][b] - t[a1] * c[a2][b];
            const float swept = v[a2] * c[a1][b] - v[a1] * c[a2][b];
            const float of_i = i->half[a1] * size[a2][b] + i->half[a2] * size[a1][b];
            const float of_k = k->half[b1] * size[a][b2] + k->half[b2] * size[a][b1];
            most = carom_apart_greater((fabsf(along) - fabsf(swept)) - (of_i + of_k), most);
        }
    }
    return most;
}

/* The greatest gap along all axes. */
static inline float carom_apart_gap(const carom_apart_box *i, const carom_apart_box *k, const float between[3],
                                    const float half_way[3]) {
    const carom_apart_frame of = carom_apart_frame_of(i, k, between, half_way);
    return carom_apart_greater(carom_apart_edge_gap(i, k, &of), carom_apart_side_gap(i, k, &of));
}

#endif
