/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All is in long double, so that only what the library promises is the same. */
#include "tests/prop/shape_approach.h"

#include <math.h>

typedef long double real;

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static real length(const real a[3]) {
    return sqrtl(dot(a, a));
}

/* The rotation vector of the shorter way from one quaternion to another. */
static void find_way(const carom_bodies_f64 *two, int body, real spin[3]) {
    real p[4];
    real q[4];
    real scalar = 0;
    for (int a = 0; a < 4; a++) {
        p[a] = (real)two->prev_turn[a][body];
        q[a] = (real)two->curr_turn[a][body];
        scalar += p[a] * q[a];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        spin[a] = q[a] * p[3] - q[3] * p[a] - (q[b] * p[c] - q[c] * p[b]);
    }
    const real sine = length(spin);
    const real angle = 2 * atan2l(sine, fabsl(scalar));
    for (int a = 0; a < 3; a++) {
        spin[a] *= sine > 0 ? (scalar < 0 ? -1 : 1) * angle / sine : 0;
    }
}

/* Adds `sign` times the velocity of a point, less that of the way. Returns the point's distance from the position. */
static real add_turning(const carom_bodies_f64 *two, int body, const double point[3], const real spin[3], real sign,
                        real velocity[3]) {
    real arm[3];
    for (int a = 0; a < 3; a++) {
        arm[a] = (real)point[a] - (real)two->prev[a][body];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        velocity[a] += sign * (spin[b] * arm[c] - spin[c] * arm[b]);
    }
    return length(arm);
}

static void find_spin(const carom_bodies_f64 *two, int body, real spin[3]) {
    for (int a = 0; a < 3; a++) {
        spin[a] = two->spin[a] != NULL ? (real)two->spin[a][body] : 0;
    }
    if (two->curr_turn[0] != NULL) {
        find_way(two, body, spin);
    }
}

bool shape_approaches(const carom_bodies_f64 *two, const carom_toi_f64 *impact) {
    real spin[2][3];
    real velocity[3];
    real between[3];
    real normal[3];
    if (impact->state != CAROM_TOI_HIT || impact->t > 0.0) {
        return impact->state != CAROM_TOI_NONE;
    }
    for (int a = 0; a < 3; a++) {
        const double *prev = two->prev[a];
        const double *curr = two->curr[a] != NULL ? two->curr[a] : prev;
        velocity[a] = (real)(curr[0] - prev[0]) - (real)(curr[1] - prev[1]);
        between[a] = (real)prev[0] - (real)prev[1];
        normal[a] = (real)impact->normal[a];
    }
    find_spin(two, 0, spin[0]);
    find_spin(two, 1, spin[1]);
    const real way = length(velocity);
    const real arms = add_turning(two, 0, impact->point_i, spin[0], 1, velocity) +
                      add_turning(two, 1, impact->point_k, spin[1], -1, velocity);
    return dot(normal, velocity) < -0x1p-44L * (way + (length(spin[0]) + length(spin[1])) * (length(between) + arms));
}
