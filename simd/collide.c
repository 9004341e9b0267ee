/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What impacts do, CAROM_LANES / 2 pairs at a time: motions are transposed into registers, and back. Where both bodies
 * become floats, the lower half of the lanes are bodies i. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/hull_lanes.h"
#include "simd/vector_lanes.h"

#define carom_collide CAROM_KERNEL_OF(collide)

enum { LANES = CAROM_LANES / 2, FIELDS = 8 };

/* One body of each of LANES pairs. */
typedef struct side {
    vd motion[FIELDS];
    vd at[3];
    vd radius;
    vd inverse_mass;
} side;

static inline side load_side(const carom_collide_in *in, const carom_collide_block *block, int which, uint32_t n) {
    side s = {.radius = vd_load(block->radius[which] + n), .inverse_mass = vd_load(block->inverse_mass[which] + n)};
    vd_rows_f64(in->motion, block->slot[which] + n, s.motion);
    const vd length = vd_sub(vd_load(block->t + n), s.motion[CAROM_MOTION_START]);
    for (int d = 0; d < 3; d++) {
        s.at[d] = vd_add(s.motion[CAROM_MOTION_X + d], vd_mul(s.motion[CAROM_MOTION_V + d], length));
    }
    return s;
}

/* Begins a motion at the impact, with a velocity that is changed along the normal. */
static inline void turn(side *s, vd t, vd change, const vd normal[3]) {
    vd_add_scaled(s->motion + CAROM_MOTION_V, change, normal, s->motion + CAROM_MOTION_V);
    for (int d = 0; d < 3; d++) {
        s->motion[CAROM_MOTION_X + d] = s->at[d];
    }
    s->motion[CAROM_MOTION_START] = t;
}

/* Turns both sides. Returns bits of the lanes that are computed. */
static inline uint32_t respond(const carom_collide_block *block, uint32_t n, side *i, side *k, vd impact[FIELDS]) {
    const vd zero = vd_set1(0.0);
    const vd sum = vd_add(i->inverse_mass, k->inverse_mass);
    const vd t = vd_load(block->t + n);
    vdm unusual = vdm_from_bits(0);
    vd *normal = impact;
    vd p[3];
    vd v[3];
    for (int d = 0; d < 3; d++) {
        p[d] = vd_sub(i->at[d], k->at[d]);
        v[d] = vd_sub(i->motion[CAROM_MOTION_V + d], k->motion[CAROM_MOTION_V + d]);
        normal[d] = zero;
    }
    const vdm apart = vd_unit(p, normal, &unusual);
    vd_add_scaled(i->at, vd_negate(i->radius), normal, impact + 3);
    const vd speed = vd_negate(vd_dot(normal, v));
    const vd bounce = vd_select(vd_lt(speed, vd_load(block->rest_speed + n)), vd_set1(1.0), vd_load(block->bounce + n));
    const vd change = vd_mul(bounce, speed);
    impact[6] = vd_div(change, sum);
    impact[7] = zero;
    turn(i, t, vd_mul(change, vd_div(i->inverse_mass, sum)), normal);
    turn(k, t, vd_negate(vd_mul(change, vd_div(k->inverse_mass, sum))), normal);
    return vdm_bits(vdm_and(apart, vd_lt(zero, speed))) & ~vdm_bits(unusual);
}

static inline void store_rows(double *first, const vd field[FIELDS]) {
    double *row[LANES];
    for (size_t l = 0; l < LANES; l++) {
        row[l] = first + FIELDS * l;
    }
    vd_store_rows(row, field);
}

static inline void store_coarse(const carom_collide_in *in, const side *i, const side *k, uint32_t n,
                                carom_collide_block *block) {
    const vd_coarse low = vd_hull_coarse(in->frame, i->motion, i->radius);
    const vd_coarse high = vd_hull_coarse(in->frame, k->motion, k->radius);
    carom_coarse_path both[CAROM_LANES];
    vd_store_coarse(both, &low, &high);
    memcpy(&block->coarse[0][n], both, LANES * sizeof *both);
    memcpy(&block->coarse[1][n], both + LANES, LANES * sizeof *both);
}

/* Bits of the lanes whose bodies stay between the corners. */
static inline uint32_t staying(const carom_collide_in *in, const side *s, const vd lo[3], const vd hi[3]) {
    uint32_t bits = UINT32_MAX;
    for (int d = 0; d < 3; d++) {
        vd low;
        vd high;
        vd_hull_span(in->frame, s->motion, s->radius, d, &low, &high);
        bits &= vdm_bits(vdm_and(vd_le(lo[d], low), vd_le(high, hi[d])));
    }
    return bits;
}

static inline void store_stays(const carom_collide_in *in, const side *i, const side *k, uint32_t n,
                               carom_collide_block *block) {
    vf box[FIELDS];
    vd corner[2][6];
    vf_rows_of_two(in->box->lo, block->slot[0] + n, block->slot[1] + n, box);
    for (int f = 0; f < 6; f++) {
        corner[0][f] = vd_from_low(box[f]);
        corner[1][f] = vd_from_high(box[f]);
    }
    block->stays[0] |= staying(in, i, corner[0], corner[0] + 3) << n;
    block->stays[1] |= staying(in, k, corner[1], corner[1] + 3) << n;
}

uint32_t carom_collide(const carom_collide_in *in, uint32_t count, carom_collide_block *block) {
    const uint32_t all = (UINT32_C(1) << count) - 1;
    uint32_t computed = 0;
    block->stays[0] = block->stays[1] = 0;
    for (uint32_t n = 0; n < count; n += LANES) {
        vd impact[FIELDS];
        side i = load_side(in, block, 0, n);
        side k = load_side(in, block, 1, n);
        computed |= respond(block, n, &i, &k, impact) << n;
        store_rows(block->impact[n], impact);
        store_rows(block->motion[0][n], i.motion);
        store_rows(block->motion[1][n], k.motion);
        store_coarse(in, &i, &k, n, block);
        store_stays(in, &i, &k, n, block);
    }
    return computed & all;
}
