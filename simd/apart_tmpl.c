/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which shapes are certainly apart, CAROM_LANES pairs at a time: simd/ref/apart_tmpl.c is the scalar form. The last
 * vector of a call is filled up with copies of its first pair, whose bits are dropped. */
#include "simd/apart_boxes.h"

#include <float.h>
#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"
#include "simd/vector_lanes.h"

#define carom_apart_kernel CAROM_KERNEL(apart)

enum { HALF = CAROM_LANES / 2 };

typedef struct posed_boxes {
    vf turn[3][3];
    vf centre[3];
    vf half[3];
    vf size;
} posed_boxes;

/* Positions and quaternions of both sides. */
typedef struct poses_of_pairs {
    vf between[3]; /* of the positions: k less i */
    vf turn[2][4];
} poses_of_pairs;

#if CAROM_REAL_BITS == 32
static inline poses_of_pairs load_poses(const float *poses, const uint32_t *i, const uint32_t *k) {
    poses_of_pairs loaded;
    vf field[2][CAROM_APART_ROW];
    vf_rows_of_two(poses, i, i + HALF, field[0]);
    vf_rows_of_two(poses, k, k + HALF, field[1]);
    for (int a = 0; a < 3; a++) {
        const vf way = vf_sub(field[1][CAROM_APART_AT + a], field[0][CAROM_APART_AT + a]);
        loaded.between[a] = vf_min(vf_max(way, vf_set1(-FLT_MAX)), vf_set1(FLT_MAX));
    }
    for (int n = 0; n < 4; n++) {
        loaded.turn[0][n] = field[0][CAROM_APART_TURN + n];
        loaded.turn[1][n] = field[1][CAROM_APART_TURN + n];
    }
    return loaded;
}
#else
static inline poses_of_pairs load_poses(const double *poses, const uint32_t *i, const uint32_t *k) {
    poses_of_pairs loaded;
    vd low[2][CAROM_APART_ROW];
    vd high[2][CAROM_APART_ROW];
    vd_rows_f64(poses, i, low[0]);
    vd_rows_f64(poses, i + HALF, high[0]);
    vd_rows_f64(poses, k, low[1]);
    vd_rows_f64(poses, k + HALF, high[1]);
    const vd most = vd_set1((double)FLT_MAX);
    for (int a = 0; a < 3; a++) {
        const vd way_low = vd_sub(low[1][CAROM_APART_AT + a], low[0][CAROM_APART_AT + a]);
        const vd way_high = vd_sub(high[1][CAROM_APART_AT + a], high[0][CAROM_APART_AT + a]);
        loaded.between[a] = vf_from_vd(vd_clamp(way_low, most), vd_clamp(way_high, most));
    }
    for (int s = 0; s < 2; s++) {
        for (int n = 0; n < 4; n++) {
            loaded.turn[s][n] = vf_from_vd(low[s][CAROM_APART_TURN + n], high[s][CAROM_APART_TURN + n]);
        }
    }
    return loaded;
}
#endif

static inline void turns_of(const vf q[4], vf turn[3][3]) {
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
static inline vf sum_of(vf a0, vf b0, vf a1, vf b1, vf a2, vf b2) {
    return vf_add(vf_add(vf_mul(a0, b0), vf_mul(a1, b1)), vf_mul(a2, b2));
}

static inline posed_boxes boxes_of(const carom_apart *apart, const carom_real *poses, const uint32_t *body,
                                   const vf q[4]) {
    posed_boxes boxes;
    uint32_t shape[CAROM_LANES];
    vf row[CAROM_APART_ROW];
    for (int l = 0; l < CAROM_LANES; l++) {
        memcpy(&shape[l], poses + CAROM_APART_ROW * (uint64_t)body[l] + CAROM_APART_SHAPE, sizeof shape[l]);
    }
    vf_rows_of_two(apart->box, shape, shape + HALF, row);
    const vf *centre = row + CAROM_APART_CENTRE;
    turns_of(q, boxes.turn);
    boxes.size = vf_set1(0.0F);
    for (int a = 0; a < 3; a++) {
        const vf *r = boxes.turn[a];
        boxes.half[a] = row[CAROM_APART_HALF + a];
        boxes.centre[a] = sum_of(r[0], centre[0], r[1], centre[1], r[2], centre[2]);
        boxes.size = vf_add(boxes.size, vf_add(vf_abs(centre[a]), boxes.half[a]));
    }
    return boxes;
}

/* Along the sides of both boxes. c is the relative rotation, t the way in the frame of i. */
static inline vf side_gaps(const posed_boxes *i, const posed_boxes *k, const vf t[3], vf c[3][3], vf size[3][3]) {
    vf most = vf_set1(-HUGE_VALF);
    for (int a = 0; a < 3; a++) {
        const vf radius = sum_of(size[a][0], k->half[0], size[a][1], k->half[1], size[a][2], k->half[2]);
        most = vf_max(vf_sub(vf_abs(t[a]), vf_add(i->half[a], radius)), most);
    }
    for (int b = 0; b < 3; b++) {
        const vf along = sum_of(t[0], c[0][b], t[1], c[1][b], t[2], c[2][b]);
        const vf radius = sum_of(size[0][b], i->half[0], size[1][b], i->half[1], size[2][b], i->half[2]);
        most = vf_max(vf_sub(vf_abs(along), vf_add(k->half[b], radius)), most);
    }
    return most;
}

/* Along the products of their edges. */
static inline vf edge_gaps(const posed_boxes *i, const posed_boxes *k, const vf t[3], vf c[3][3], vf size[3][3]) {
    vf most = vf_set1(-HUGE_VALF);
    for (int a = 0; a < 3; a++) {
        const int a1 = (a + 1) % 3;
        const int a2 = (a + 2) % 3;
        for (int b = 0; b < 3; b++) {
            const int b1 = (b + 1) % 3;
            const int b2 = (b + 2) % 3;
            const vf along = vf_sub(vf_mul(t[a2], c[a1][b]), vf_mul(t[a1], c[a2][b]));
            const vf of_i = vf_add(vf_mul(i->half[a1], size[a2][b]), vf_mul(i->half[a2], size[a1][b]));
            const vf of_k = vf_add(vf_mul(k->half[b1], size[a][b2]), vf_mul(k->half[b2], size[a][b1]));
            most = vf_max(vf_sub(vf_abs(along), vf_add(of_i, of_k)), most);
        }
    }
    return most;
}

static inline vf gaps_of(const posed_boxes *i, const posed_boxes *k, const vf between[3]) {
    vf t[3];
    vf c[3][3];
    vf size[3][3];
    for (int a = 0; a < 3; a++) {
        t[a] = sum_of(i->turn[0][a], between[0], i->turn[1][a], between[1], i->turn[2][a], between[2]);
        for (int b = 0; b < 3; b++) {
            c[a][b] = sum_of(i->turn[0][a], k->turn[0][b], i->turn[1][a], k->turn[1][b], i->turn[2][a], k->turn[2][b]);
            size[a][b] = vf_abs(c[a][b]);
        }
    }
    return vf_max(side_gaps(i, k, t, c, size), edge_gaps(i, k, t, c, size));
}

/* Bits of the pairs that are certainly apart. */
static inline uint32_t apart_bits(const carom_apart *apart, const carom_real *poses, const uint32_t *at_i,
                                  const uint32_t *at_k) {
    const poses_of_pairs loaded = load_poses(poses, at_i, at_k);
    const posed_boxes i = boxes_of(apart, poses, at_i, loaded.turn[0]);
    const posed_boxes k = boxes_of(apart, poses, at_k, loaded.turn[1]);
    vf between[3];
    vf size = vf_add(i.size, k.size);
    for (int a = 0; a < 3; a++) {
        size = vf_add(size, vf_abs(loaded.between[a]));
        between[a] = vf_add(loaded.between[a], vf_sub(k.centre[a], i.centre[a]));
    }
    const vf limit =
        vf_add(vf_add(vf_set1(apart->margin), vf_mul(vf_set1(apart->slack), size)), vf_set1(CAROM_APART_LEAST));
    return vfm_bits(vf_lt(limit, gaps_of(&i, &k, between)));
}

/* CAROM_LANES numbers, of which `count` are there. */
static inline const uint32_t *full(const uint32_t *number, uint32_t count, uint32_t spare[CAROM_LANES]) {
    for (uint32_t n = 0; n < CAROM_LANES && count < CAROM_LANES; n++) {
        spare[n] = number[n < count ? n : 0];
    }
    return count < CAROM_LANES ? spare : number;
}

uint32_t carom_apart_kernel(const carom_apart *apart, const carom_real *poses, const uint32_t *i, const uint32_t *k,
                            uint32_t count, uint32_t *kept) {
    static const uint32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const vi lane = vi_load(numbers);
    uint32_t found = 0;
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        uint32_t spare_i[CAROM_LANES];
        uint32_t spare_k[CAROM_LANES];
        const uint32_t left = count - n;
        const uint32_t there = left < CAROM_LANES ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
        const uint32_t bits = apart_bits(apart, poses, full(i + n, left, spare_i), full(k + n, left, spare_k));
        const uint32_t lanes = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
        found += vi_pack_store(kept + found, ~bits & there & lanes, vi_add(lane, vi_set1((int32_t)n)));
    }
    return found;
}
