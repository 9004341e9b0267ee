/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the kernel epa needs for pairs one by one (simd/epa_pair.h): supports and nearest faces, in vectors. */
#ifndef CAROM_SIMD_EPA_VECTORS_H
#define CAROM_SIMD_EPA_VECTORS_H

#include "simd/difference_lanes.h"
#include "simd/epa_pair.h"

/* The number of the hull's vertex that is farthest along d; the lowest of several. */
static inline uint32_t carom_epa_find_vertex(const carom_hull *hull, const double d[3]) {
    _Alignas(64) double far[CAROM_PAIRS];
    _Alignas(64) double vertex[CAROM_PAIRS];
    carom_support_lanes_vertices(hull, d[0], d[1], d[2], far, vertex);
    const vd most = vd_load(far);
    const vdm is_most = vd_le(vd_set1(vd_greatest(most)), most);
    return (uint32_t)vd_least(vd_select(is_most, vd_load(vertex), vd_set1(CAROM_HULL_POINTS_MAX)));
}

/* carom_support: a hull's vertices are searched CAROM_PAIRS at a time. */
static inline double carom_epa_core_support(const carom_posed *posed, const double n[3], double point[3]) {
    if (posed->shape->kind != CAROM_SHAPE_HULL) {
        return carom_support(posed, n, point);
    }
    double d[3];
    double s[3];
    carom_pose_to_local(posed->turn, n, d);
    const uint32_t best = carom_epa_find_vertex(posed->shape->hull, d);
    for (int a = 0; a < 3; a++) {
        s[a] = posed->shape->hull->vertex[a][best];
    }
    carom_pose_from_local(posed->turn, s, point);
    for (int a = 0; a < 3; a++) {
        point[a] += posed->at[a];
    }
    return carom_vector_dot(d, s) + carom_vector_dot(n, posed->at);
}

static inline uint32_t carom_epa_nearest_face(const double *distance, uint32_t count) {
    static const double numbers[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    vd number = vd_load(numbers);
    vd nearest = number;
    vd least = vd_set1(HUGE_VAL);
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        const vd next = vd_load(distance + n);
        nearest = vd_select(vd_lt(next, least), number, nearest);
        least = vd_min(next, least);
        number = vd_add(number, vd_set1(CAROM_PAIRS));
    }
    const vdm is_least = vd_le(least, vd_set1(vd_least(least)));
    return (uint32_t)vd_least(vd_select(is_least, nearest, vd_set1(CAROM_POLYTOPE_FACES)));
}

#endif
