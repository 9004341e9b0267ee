/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving shapes and a plane between them. Out: the height of their gap over it. */
#include "kernel/narrow/plane.h"

#include "simd/ref/proof.h"

void carom_plane_make(const double n[3], double t, const double spin[3], carom_turning *plane) {
    *plane = (carom_turning){.normal = {n[0], n[1], n[2]}, .t = t, .axis = {1.0, 0.0, 0.0}};
    if (carom_vector_unit(spin, plane->axis)) {
        plane->angle = carom_vector_dot(spin, plane->axis);
    }
}

double carom_plane_height(const carom_turning *plane, const carom_approach *pair, double t) {
    carom_instant instant;
    double n[3];
    carom_instant_set(&pair->course, t, &instant);
    return carom_turning_height(plane, &pair->course, t, &instant, n);
}

double carom_plane_bend(const carom_turning *plane, const carom_approach *pair) {
    return carom_turning_bend(plane, &pair->course);
}
