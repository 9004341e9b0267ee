/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A sphere against a box or a cylinder, a pair a lane (simd/ref/closed_solid.c is the scalar form). */
#ifndef CAROM_SIMD_CLOSED_SOLID_LANES_H
#define CAROM_SIMD_CLOSED_SOLID_LANES_H

#include "simd/pose_lanes.h"

/* A point's place about a solid. */
typedef struct carom_place_lanes {
    vd s;
    vd normal[3];
    vd foot[3];
} carom_place_lanes;

/* About a box of `axes` axes. */
static inline void carom_solid_lanes_in_box(const vd *p, const vd *h, int axes, carom_place_lanes *place,
                                            vdm *unusual) {
    const vd zero = vd_set1(0.0);
    vd past[3] = {zero, zero, zero};
    vd out[3] = {zero, zero, zero};
    vd unit[3] = {zero, zero, zero};
    for (int d = 0; d < axes; d++) {
        past[d] = vd_sub(vd_abs(p[d]), h[d]);
        out[d] = vd_max(past[d], zero);
    }
    vd deepest = past[0];
    vd face = zero;
    for (int d = 1; d < axes; d++) {
        const vdm deeper = vd_lt(deepest, past[d]);
        face = vd_select(deeper, vd_set1(d), face);
        deepest = vd_select(deeper, past[d], deepest);
    }
    const vdm outside = vd_unit(out, unit, unusual);
    place->s = vd_select(outside, vd_dot(out, unit), deepest);
    for (int d = 0; d < axes; d++) {
        const vd side = vd_sign_of(p[d]);
        const vdm is_face = vdm_and(vd_le(face, vd_set1(d)), vd_le(vd_set1(d), face));
        const vd inside = vd_select(is_face, vd_set1(1.0), zero);
        place->normal[d] = vd_mul(side, vd_select(outside, unit[d], inside));
        place->foot[d] = vd_select(is_face, vd_mul(side, h[d]), vd_clamp(p[d], h[d]));
        place->foot[d] = vd_select(outside, vd_clamp(p[d], h[d]), place->foot[d]);
    }
}

/* The cylinder's half-plane has z and `away` for axes. */
static inline void carom_solid_lanes_in_cylinder(const vd p[3], const vd extent[3], carom_place_lanes *place,
                                                 vdm *unusual) {
    const vd zero = vd_set1(0.0);
    const vd flat[3] = {p[0], p[1], zero};
    vd away[3] = {vd_set1(1.0), zero, zero};
    (void)vd_unit(flat, away, unusual);
    const vd in_plane[2] = {p[2], vd_dot(flat, away)};
    const vd h[2] = {extent[2], extent[0]};
    carom_place_lanes plane;
    carom_solid_lanes_in_box(in_plane, h, 2, &plane, unusual);
    place->s = plane.s;
    for (int d = 0; d < 2; d++) {
        place->normal[d] = vd_mul(plane.normal[1], away[d]);
        place->foot[d] = vd_mul(plane.foot[1], away[d]);
    }
    place->normal[2] = plane.normal[0];
    place->foot[2] = plane.foot[0];
}

/* Pairs from n on; returns the lanes whose numbers are unusual. */
static inline vdm carom_solid_lanes_find(carom_pair_block *block, uint32_t n, bool is_box) {
    carom_pose_lanes i;
    carom_pose_lanes k;
    carom_place_lanes place;
    vd between[3];
    vd local[3];
    vd normal[3];
    vd foot[3];
    vd of_i[3];
    vdm unusual = vdm_from_bits(0);
    carom_lanes_centre(&block->side[0], n, &i);
    carom_lanes_pose(&block->side[1], n, &k);
    carom_lanes_between(&i, &k, between);
    carom_lanes_to_local(k.turn, between, local);
    if (is_box) {
        carom_solid_lanes_in_box(local, k.extent, 3, &place, &unusual);
    } else {
        carom_solid_lanes_in_cylinder(local, k.extent, &place, &unusual);
    }
    carom_lanes_from_local(k.turn, place.normal, normal);
    carom_lanes_from_local(k.turn, place.foot, foot);
    for (int d = 0; d < 3; d++) {
        foot[d] = vd_add(k.at[d], foot[d]);
        of_i[d] = vd_sub(i.at[d], vd_mul(i.radius, normal[d]));
    }
    const vd s = vd_sub(place.s, i.radius);
    carom_lanes_store(block->normal, n, normal);
    carom_lanes_store(block->point_i, n, of_i);
    carom_lanes_store(block->point_k, n, foot);
    const vd size = vd_add(vd_add(vd_sum_of_sizes(between), vd_sum_of_sizes(k.extent)), i.radius);
    carom_lanes_bracket(s, s, size, block, n);
    return unusual;
}

#endif
