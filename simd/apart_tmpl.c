/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which shapes are certainly apart, CAROM_LANES pairs at a time: simd/ref/apart_tmpl.c is the scalar form. The last
 * vector of a call is filled up with copies of its first pair, whose bits are dropped. */
#include <float.h>

#include "simd/apart_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/real.h"
#include "simd/vector_lanes.h"

#define carom_apart_kernel CAROM_KERNEL(apart)

enum { HALF = CAROM_LANES / 2 };

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

static inline void boxes_of(const carom_apart *apart, const carom_real *poses, const uint32_t *body, const vf q[4],
                            carom_apart_lanes *boxes) {
    uint32_t shape[CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++) {
        memcpy(&shape[l], poses + CAROM_APART_ROW * (uint64_t)body[l] + CAROM_APART_SHAPE, sizeof shape[l]);
    }
    carom_apart_lanes_of(apart, shape, q, boxes);
}

/* Bits of the pairs that are certainly apart. */
static inline uint32_t apart_bits(const carom_apart *apart, const carom_real *poses, const uint32_t *at_i,
                                  const uint32_t *at_k) {
    const poses_of_pairs loaded = load_poses(poses, at_i, at_k);
    carom_apart_lanes i;
    carom_apart_lanes k;
    boxes_of(apart, poses, at_i, loaded.turn[0], &i);
    boxes_of(apart, poses, at_k, loaded.turn[1], &k);
    vf between[3];
    vf size = vf_add(i.size, k.size);
    for (int a = 0; a < 3; a++) {
        size = vf_add(size, vf_abs(loaded.between[a]));
        between[a] = vf_add(loaded.between[a], vf_sub(k.centre[a], i.centre[a]));
    }
    const vf limit =
        vf_add(vf_add(vf_set1(apart->margin), vf_mul(vf_set1(apart->slack), size)), vf_set1(CAROM_APART_LEAST));
    return vfm_bits(vf_lt(limit, carom_apart_gaps(&i, &k, between, NULL)));
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
        const uint32_t bits =
            apart_bits(apart, poses, vi_fill_up(i + n, left, spare_i), vi_fill_up(k + n, left, spare_k));
        const uint32_t lanes = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
        found += vi_pack_store(kept + found, ~bits & there & lanes, vi_add(lane, vi_set1((int32_t)n)));
    }
    return found;
}
