/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* simd/hull_paths.h for a body a lane: the same arithmetic in the same order. A motion is a vector of each field. */
#ifndef CAROM_SIMD_HULL_LANES_H
#define CAROM_SIMD_HULL_LANES_H

#include "simd/hull_paths.h"
#include "simd/vec.h"

/* A coarse path in doubles, the reach without CAROM_COARSE_LEAST. */
typedef struct vd_coarse {
    vd x[3];
    vd v[3];
    vd reach;
} vd_coarse;

static inline vd vd_hull_from(const carom_hull_frame *frame, const vd motion[7]) {
    return vd_max(motion[CAROM_MOTION_START], vd_set1(frame->begin));
}

static inline void vd_hull_span(const carom_hull_frame *frame, const vd motion[7], vd radius, int a, vd *lo, vd *hi) {
    const vd start = motion[CAROM_MOTION_START];
    const vd x = motion[CAROM_MOTION_X + a];
    const vd v = motion[CAROM_MOTION_V + a];
    const vd begin = vd_hull_from(frame, motion);
    const vd rest_from = vd_add(x, vd_mul(v, vd_sub(begin, start)));
    const vd rest_to = vd_add(x, vd_mul(v, vd_sub(vd_set1(frame->end), start)));
    const vd moved_from = vd_mul(vd_set1(frame->drift[a]), vd_sub(begin, vd_set1(frame->begin)));
    const vd moved_to = vd_set1(frame->drift[a] * (frame->end - frame->begin));
    const vd own = vd_mul(vd_set1(frame->rounding), vd_add(vd_add(vd_abs(rest_from), vd_abs(rest_to)), radius));
    const vd moved = vd_add(vd_set1(frame->reach), vd_add(vd_abs(moved_from), vd_abs(moved_to)));
    const vd margin = vd_add(radius, vd_add(own, vd_mul(vd_set1(CAROM_HULL_ROUNDING), moved)));
    const vd from = vd_sub(rest_from, moved_from);
    const vd to = vd_sub(rest_to, moved_to);
    *lo = vd_sub(vd_min(from, to), margin);
    *hi = vd_add(vd_max(to, from), margin);
}

static inline vd_coarse vd_hull_coarse(const carom_hull_frame *frame, const vd motion[7], vd radius) {
    const vd unit = vd_set1(frame->unit);
    vd rounding = vd_add(radius, vd_set1(frame->reach));
    vd_coarse path;
    for (int a = 0; a < 3; a++) {
        const vd v = motion[CAROM_MOTION_V + a];
        const vd x =
            vd_add(motion[CAROM_MOTION_X + a], vd_mul(v, vd_sub(vd_set1(frame->begin), motion[CAROM_MOTION_START])));
        path.x[a] = vd_mul(x, unit);
        const vd apart = vd_sub(v, vd_set1(frame->drift[a]));
        path.v[a] = vd_mul(apart, unit);
        const vd moved = vd_mul(vd_set1(frame->span), vd_max(vd_abs(v), vd_abs(apart)));
        rounding = vd_add(rounding, vd_add(vd_add(vd_abs(motion[CAROM_MOTION_X + a]), vd_abs(x)), moved));
    }
    path.reach = vd_mul(vd_add(radius, vd_mul(vd_set1(CAROM_COARSE_ROUNDING), rounding)), unit);
    return path;
}

/* Stores CAROM_LANES coarse paths of group 0, which follow each other. */
static inline void vd_store_coarse(carom_coarse_path *to, const vd_coarse *low, const vd_coarse *high) {
    vf path[8];
    for (int a = 0; a < 3; a++) {
        path[a] = vf_from_vd(low->x[a], high->x[a]);
        path[4 + a] = vf_from_vd(low->v[a], high->v[a]);
    }
    path[3] = vf_add(vf_from_vd(low->reach, high->reach), vf_set1(CAROM_COARSE_LEAST));
    path[7] = vf_set1(0.0F);
    vf_store_rows(to->x, path);
}

#endif
