/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Spheres and capsules, a pair a lane (simd/ref/closed_segment.c is the scalar form). */
#ifndef CAROM_SIMD_CLOSED_SEGMENT_LANES_H
#define CAROM_SIMD_CLOSED_SEGMENT_LANES_H

#include "simd/pose_lanes.h"

/* Two segments. */
typedef struct carom_segment_lanes {
    vd between[3];
    vd u[2][3];
    vd h[2];
    vd across[3];
    vd square;    /* of `across` */
    vdm crossing; /* not parallel */
    vd s[2];
    vd r[3];
} carom_segment_lanes;

static inline vdm carom_segment_lanes_spheres(carom_pair_block *block, uint32_t n) {
    carom_pose_lanes i;
    carom_pose_lanes k;
    vd between[3];
    vd of_i[3];
    vd of_k[3];
    vd normal[3] = {vd_set1(1.0), vd_set1(0.0), vd_set1(0.0)};
    vdm unusual = vdm_from_bits(0);
    carom_lanes_centre(&block->side[0], n, &i);
    carom_lanes_centre(&block->side[1], n, &k);
    carom_lanes_between(&i, &k, between);
    (void)vd_unit(between, normal, &unusual);
    const vd radius = vd_add(i.radius, k.radius);
    const vd s = vd_sub(vd_dot(between, normal), radius);
    vd_add_scaled(i.at, vd_negate(i.radius), normal, of_i);
    vd_add_scaled(k.at, k.radius, normal, of_k);
    carom_lanes_store(block->normal, n, normal);
    carom_lanes_store(block->point_i, n, of_i);
    carom_lanes_store(block->point_k, n, of_k);
    carom_lanes_bracket(s, s, vd_add(vd_sum_of_sizes(between), radius), block, n);
    return unusual;
}

static inline void carom_segment_lanes_make(carom_pose_lanes *i, carom_pose_lanes *k, carom_segment_lanes *pair) {
    vd axis[2][3];
    carom_lanes_between(i, k, pair->between);
    carom_lanes_column(i->turn, 2, axis[0]);
    carom_lanes_column(k->turn, 2, axis[1]);
    pair->h[0] = i->extent[2];
    pair->h[1] = k->extent[2];
    const vdm long_i = vd_lt(vd_set1(0.0), pair->h[0]);
    const vdm long_k = vd_lt(vd_set1(0.0), pair->h[1]);
    for (int d = 0; d < 3; d++) {
        pair->u[0][d] = vd_select(long_i, axis[0][d], axis[1][d]);
        pair->u[1][d] = vd_select(long_k, axis[1][d], axis[0][d]);
    }
    const vd *u = pair->u[0];
    vd_add_scaled(pair->u[1], vd_negate(vd_dot(u, pair->u[1])), u, pair->across);
    vd_add_scaled(pair->across, vd_negate(vd_dot(u, pair->across)), u, pair->across);
    pair->square = vd_dot(pair->across, pair->across);
    pair->crossing = vd_lt(vd_set1(CAROM_CLOSED_PARALLEL_SQUARE), pair->square);
}

static inline vd carom_segment_lanes_middle(const carom_segment_lanes *pair, vd along_k) {
    const vd lo = vd_max(vd_sub(along_k, pair->h[0]), vd_negate(pair->h[1]));
    const vd hi = vd_min(vd_add(along_k, pair->h[0]), pair->h[1]);
    return vd_mul(vd_set1(0.5), vd_add(lo, hi));
}

static inline void carom_segment_lanes_closest(carom_segment_lanes *pair) {
    const vd cosine = vd_dot(pair->u[0], pair->u[1]);
    const vd along_i = vd_dot(pair->between, pair->u[0]);
    const vd along_k = vd_dot(pair->between, pair->u[1]);
    const vd divisor = vd_select(pair->crossing, pair->square, vd_set1(1.0));
    vd t = vd_div(vd_dot(pair->between, pair->across), divisor);
    t = vd_select(pair->crossing, t, carom_segment_lanes_middle(pair, along_k));
    t = vd_clamp(t, pair->h[1]);
    pair->s[0] = vd_clamp(vd_sub(vd_mul(cosine, t), along_i), pair->h[0]);
    pair->s[1] = vd_clamp(vd_add(along_k, vd_mul(cosine, pair->s[0])), pair->h[1]);
    vd_add_scaled(pair->between, pair->s[0], pair->u[0], pair->r);
    vd_add_scaled(pair->r, vd_negate(pair->s[1]), pair->u[1], pair->r);
}

/* A fixed direction at right angles to the unit vector u (carom_closed_across). */
static inline void carom_segment_lanes_across(const vd u[3], vd across[3], vdm *unusual) {
    const vd zero = vd_set1(0.0);
    const vd one = vd_set1(1.0);
    const vdm along_y = vd_le(vd_set1(0.75), vd_abs(u[0]));
    const vd axis[3] = {vd_select(along_y, zero, one), vd_select(along_y, one, zero), zero};
    vd_add_scaled(axis, vd_negate(vd_select(along_y, u[1], u[0])), u, across);
    (void)vd_unit(across, across, unusual);
}

/* Along r, less its part along u. Returns the lanes where something is left. */
static inline vdm carom_segment_lanes_apart(const carom_segment_lanes *pair, const vd u[3], vd n[3], vdm *unusual) {
    vd away[3];
    vd_add_scaled(pair->r, vd_negate(vd_dot(pair->r, u)), u, away);
    vd_add_scaled(away, vd_negate(vd_dot(away, u)), u, away);
    return vd_unit(away, n, unusual);
}

static inline void carom_segment_lanes_common(const carom_segment_lanes *pair, vd n[3], vdm *unusual) {
    const vd *u = pair->u[0];
    vd cross[3];
    vd other[3];
    vd_cross(u, pair->across, cross);
    carom_segment_lanes_across(u, other, unusual);
    (void)carom_segment_lanes_apart(pair, u, other, unusual);
    for (int d = 0; d < 3; d++) {
        n[d] = vd_select(pair->crossing, cross[d], other[d]);
    }
    const vd sign = vd_sign_of(vd_dot(n, pair->between));
    (void)vd_unit(n, n, unusual);
    for (int d = 0; d < 3; d++) {
        n[d] = vd_mul(n[d], sign);
    }
}

static inline vd carom_segment_lanes_height(const carom_segment_lanes *pair, const vd n[3]) {
    const vd of_i = vd_mul(pair->h[0], vd_abs(vd_dot(pair->u[0], n)));
    const vd of_k = vd_mul(pair->h[1], vd_abs(vd_dot(pair->u[1], n)));
    return vd_sub(vd_sub(vd_dot(pair->between, n), of_i), of_k);
}

/* The direction that proves most; returns what it proves. */
static inline vd carom_segment_lanes_normal(const carom_segment_lanes *pair, vd n[3], vdm *unusual) {
    carom_segment_lanes_common(pair, n, unusual);
    vd best = carom_segment_lanes_height(pair, n);
    for (int segment = -1; segment < 2; segment++) {
        vd apart[3] = {n[0], n[1], n[2]};
        const vdm has = segment < 0 ? vd_unit(pair->r, apart, unusual)
                                    : carom_segment_lanes_apart(pair, pair->u[segment], apart, unusual);
        const vd height = carom_segment_lanes_height(pair, apart);
        const vdm higher = vdm_and(has, vd_lt(best, height));
        for (int d = 0; d < 3; d++) {
            n[d] = vd_select(higher, apart[d], n[d]);
        }
        best = vd_select(has, vd_max(height, best), best);
    }
    return best;
}

static inline vdm carom_segment_lanes_find(carom_pair_block *block, uint32_t n) {
    const vd zero = vd_set1(0.0);
    carom_pose_lanes i;
    carom_pose_lanes k;
    carom_segment_lanes pair;
    vd normal[3];
    vd of_i[3];
    vd of_k[3];
    vd along[3] = {zero, zero, zero};
    vdm unusual = vdm_from_bits(0);
    carom_lanes_pose(&block->side[0], n, &i);
    carom_lanes_pose(&block->side[1], n, &k);
    carom_segment_lanes_make(&i, &k, &pair);
    carom_segment_lanes_closest(&pair);
    const vd lower = vd_max(carom_segment_lanes_normal(&pair, normal, &unusual), zero);
    (void)vd_unit(pair.r, along, &unusual);
    const vd upper = vd_max(vd_dot(pair.r, along), lower);
    const vd radius = vd_add(i.radius, k.radius);
    const vd size = vd_add(vd_add(vd_add(vd_sum_of_sizes(pair.between), pair.h[0]), pair.h[1]), radius);
    vd_add_scaled(i.at, pair.s[0], pair.u[0], of_i);
    vd_add_scaled(k.at, pair.s[1], pair.u[1], of_k);
    vd_add_scaled(of_i, vd_negate(i.radius), normal, of_i);
    vd_add_scaled(of_k, k.radius, normal, of_k);
    carom_lanes_store(block->normal, n, normal);
    carom_lanes_store(block->point_i, n, of_i);
    carom_lanes_store(block->point_k, n, of_k);
    carom_lanes_bracket(vd_sub(lower, radius), vd_sub(upper, radius), size, block, n);
    return unusual;
}

#endif
