/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depth of two cores (simd/epa_search.h). A hull's vertices are searched CAROM_PAIRS at a time. */
#include "simd/declare.h"
#include "simd/difference_lanes.h"
#include "simd/epa_search.h"

#define carom_epa CAROM_KERNEL_OF(epa)

static inline double support(const carom_posed *posed, const double n[3], double point[3]) {
    if (posed->shape->kind != CAROM_SHAPE_HULL) {
        return carom_support(posed, n, point);
    }
    const carom_hull *hull = posed->shape->hull;
    double d[3];
    double s[3];
    carom_pose_to_local(posed->turn, n, d);
    const uint32_t best = carom_support_lanes_vertex(hull, d[0], d[1], d[2]);
    for (int a = 0; a < 3; a++) {
        s[a] = hull->vertex[a][best];
    }
    carom_pose_from_local(posed->turn, s, point);
    for (int a = 0; a < 3; a++) {
        point[a] += posed->at[a];
    }
    return carom_vector_dot(d, s) + carom_vector_dot(n, posed->at);
}

static double difference_support(const carom_difference *difference, const double n[3], carom_difference_point *point) {
    const double back[3] = {-n[0], -n[1], -n[2]};
    const double far_i = support(difference->i, back, point->a);
    double b[3];
    const double far_k = support(difference->k, n, b);
    for (int d = 0; d < 3; d++) {
        point->w[d] = point->a[d] - b[d];
    }
    return -far_i - far_k;
}

static uint32_t find_nearest(const carom_polytope *polytope) {
    static const double numbers[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    vd number = vd_load(numbers);
    vd nearest = number;
    vd least = vd_set1(HUGE_VAL);
    for (uint32_t n = 0; n < polytope->face_count; n += CAROM_PAIRS) {
        const vd distance = vd_load(polytope->distance + n);
        nearest = vd_select(vd_lt(distance, least), number, nearest);
        least = vd_min(distance, least);
        number = vd_add(number, vd_set1(CAROM_PAIRS));
    }
    const vdm is_least = vd_le(least, vd_set1(vd_least(least)));
    return (uint32_t)vd_least(vd_select(is_least, nearest, vd_set1(CAROM_POLYTOPE_FACES)));
}

bool carom_epa(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket) {
    const carom_difference difference = carom_difference_make(i, k);
    carom_epa_search search;
    search.difference = &difference;
    search.goal = goal;
    search.support = difference_support;
    search.find_nearest = find_nearest;
    search.bracket = bracket;
    return carom_epa_run(&search);
}
