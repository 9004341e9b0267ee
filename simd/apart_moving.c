/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which moving shapes are certainly apart in the whole step, CAROM_LANES pairs at a time: simd/ref/apart_moving.c is
 * the scalar form. */
#include "simd/apart_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_apart_moving CAROM_KERNEL_OF(apart_moving)

/* Bodies of one side. */
typedef struct bodies {
    carom_apart_lanes box;
    vf at[3];
    vf half_way[3];
    vf spread;
} bodies;

static inline void load_bodies(const carom_apart *apart, const float *rows, const uint32_t *body, bodies *loaded) {
    vf pose[CAROM_APART_ROW];
    vf way[CAROM_APART_ROW];
    uint32_t first[CAROM_LANES];
    uint32_t second[CAROM_LANES];
    uint32_t shape[CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++) {
        first[l] = 2 * body[l];
        second[l] = 2 * body[l] + 1;
    }
    vf_rows_of_two(rows, first, first + CAROM_LANES / 2, pose);
    vf_rows_of_two(rows, second, second + CAROM_LANES / 2, way);
    vi_store(shape, vf_bits(pose[CAROM_APART_SHAPE]));
    carom_apart_lanes_of(apart, shape, pose + CAROM_APART_TURN, &loaded->box);
    for (int a = 0; a < 3; a++) {
        loaded->at[a] = pose[CAROM_APART_AT + a];
        loaded->half_way[a] = way[CAROM_APART_WAY + a];
    }
    loaded->spread = way[CAROM_APART_SPREAD];
}

/* Bits of the pairs that are certainly apart. */
static inline uint32_t apart_bits(const carom_apart *apart, const float *rows, const uint32_t *at_i,
                                  const uint32_t *at_k) {
    bodies i;
    bodies k;
    load_bodies(apart, rows, at_i, &i);
    load_bodies(apart, rows, at_k, &k);
    vf between[3];
    vf half_way[3];
    vf size = vf_add(i.box.size, k.box.size);
    for (int a = 0; a < 3; a++) {
        const vf way = vf_sub(k.at[a], i.at[a]);
        size = vf_add(size, vf_add(vf_abs(way), vf_add(vf_abs(i.half_way[a]), vf_abs(k.half_way[a]))));
        between[a] = vf_add(way, vf_sub(k.box.centre[a], i.box.centre[a]));
        half_way[a] = vf_sub(k.half_way[a], i.half_way[a]);
    }
    const vf near = vf_add(vf_set1(apart->margin), vf_add(i.spread, k.spread));
    const vf limit = vf_add(vf_add(near, vf_mul(vf_set1(apart->slack), size)), vf_set1(CAROM_APART_LEAST));
    return vfm_bits(vf_lt(limit, carom_apart_gaps(&i.box, &k.box, between, half_way)));
}

uint32_t carom_apart_moving(const carom_apart *apart, const float *rows, const uint32_t *i, const uint32_t *k,
                            uint32_t count, uint32_t *kept) {
    static const uint32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const vi lane = vi_load(numbers);
    uint32_t found = 0;
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        uint32_t spare_i[CAROM_LANES];
        uint32_t spare_k[CAROM_LANES];
        const uint32_t left = count - n;
        const uint32_t there = left < CAROM_LANES ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
        const uint32_t lanes = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
        const uint32_t bits =
            apart_bits(apart, rows, vi_fill_up(i + n, left, spare_i), vi_fill_up(k + n, left, spare_k));
        found += vi_pack_store(kept + found, ~bits & there & lanes, vi_add(lane, vi_set1((int32_t)n)));
    }
    return found;
}
