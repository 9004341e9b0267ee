/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores whose difference seems to hold the origin. Out: a bracket of their depth.
 *
 * The least support of the difference over all directions is the depth. Any direction's is an upper bound of it; the
 * least distance of the faces of a polytope of the difference's points is a lower one, once the polytope winds around
 * the origin. Each step adds the point beyond the nearest face.
 *
 * Where the search before ended in fewer than four points, or in points of one plane, supports along and against the
 * missing directions complete them. A difference without volume (two segments that cross, two flat shapes of one plane)
 * has depth 0, along the direction in which it is flat. */
#include "kernel/narrow/epa.h"

#include <math.h>

#include "kernel/narrow/polytope.h"
#include "kernel/sys/vector.h"

/* Extents of less than this, relative to the difference's size, are those of rounding. */
static const double FLAT = 0x1p-45;

static void subtract(const double a[3], const double b[3], double c[3]) {
    for (int d = 0; d < 3; d++) {
        c[d] = a[d] - b[d];
    }
}

/* A direction at right angles to e, which may be 0: then the x axis. */
static void across(const double e[3], double n[3]) {
    int least = 0;
    for (int d = 1; d < 3; d++) {
        least = fabs(e[d]) < fabs(e[least]) ? d : least;
    }
    const double axis[3] = {least == 0 ? 1.0 : 0.0, least == 1 ? 1.0 : 0.0, least == 2 ? 1.0 : 0.0};
    carom_vector_cross(e, axis, n);
    if (!carom_vector_unit(n, n)) {
        n[0] = 1.0;
        n[1] = 0.0;
        n[2] = 0.0;
    }
}

/* How far w is from the points so far: from a point, a line or a plane. */
static double extent(const carom_polytope *polytope, uint32_t count, const double w[3]) {
    double e[3];
    double f[3];
    double g[3];
    double n[3];
    subtract(w, polytope->point[0].w, g);
    if (count == 1) {
        return carom_vector_length(g);
    }
    subtract(polytope->point[1].w, polytope->point[0].w, e);
    if (count == 2) {
        carom_vector_cross(e, g, n);
        return carom_vector_length(n) / carom_vector_length(e);
    }
    subtract(polytope->point[2].w, polytope->point[0].w, f);
    carom_vector_cross(e, f, n);
    return carom_vector_unit(n, n) ? fabs(carom_vector_dot(n, g)) : 0.0;
}

/* Directions in which the next point may lie outside the points so far. */
static uint32_t directions(const carom_polytope *polytope, uint32_t count, double n[6][3]) {
    double e[3];
    double f[3];
    if (count == 1) {
        for (int d = 0; d < 3; d++) {
            for (int c = 0; c < 3; c++) {
                n[2 * d][c] = c == d ? 1.0 : 0.0;
                n[2 * d + 1][c] = c == d ? -1.0 : 0.0;
            }
        }
        return 6;
    }
    subtract(polytope->point[1].w, polytope->point[0].w, e);
    if (count == 2) {
        across(e, n[0]);
        carom_vector_cross(e, n[0], n[2]);
        (void)carom_vector_unit(n[2], n[2]);
    } else {
        subtract(polytope->point[2].w, polytope->point[0].w, f);
        carom_vector_cross(e, f, n[0]);
        (void)carom_vector_unit(n[0], n[0]);
    }
    for (int d = 0; d < 3; d++) {
        n[1][d] = -n[0][d];
        n[3][d] = -n[2][d];
    }
    return count == 2 ? 4 : 2;
}

/* Adds the point that lies farthest outside the points so far. False if none does by more than rounding. */
static bool add_point(const carom_difference *difference, carom_bracket *bracket, carom_polytope *polytope) {
    const uint32_t count = polytope->point_count;
    double n[6][3];
    double most = FLAT * difference->size;
    bool found = false;
    const uint32_t tries = directions(polytope, count, n);
    for (uint32_t m = 0; m < tries; m++) {
        carom_difference_point next;
        const double least = carom_difference_support(difference, n[m], &next);
        carom_bracket_raise(bracket, difference, n[m], least);
        const double far = extent(polytope, count, next.w);
        if (far > most) {
            most = far;
            found = true;
            polytope->point[count] = next;
        }
    }
    polytope->point_count += found ? 1 : 0;
    return found;
}

/* The simplex's points as the polytope's, without those that add no extent. */
static void take_simplex(const carom_difference *difference, const carom_simplex *simplex, carom_polytope *polytope) {
    polytope->point_count = 0;
    for (uint32_t n = 0; n < simplex->count; n++) {
        const uint32_t count = polytope->point_count;
        if (count == 0 || extent(polytope, count, simplex->point[n].w) > FLAT * difference->size) {
            polytope->point[count] = simplex->point[n];
            polytope->point_count++;
        }
    }
}

/* False if the difference has no volume. */
static bool complete(const carom_difference *difference, carom_bracket *bracket, carom_polytope *polytope) {
    take_simplex(difference, &bracket->closest, polytope);
    while (polytope->point_count < 4) {
        if (!add_point(difference, bracket, polytope)) {
            return false;
        }
    }
    return carom_polytope_begin(polytope);
}

/* The face as a simplex, reduced to the points that its closest point is made of. */
static void take_face(const carom_polytope *polytope, const carom_polytope_face *face, carom_simplex *simplex) {
    simplex->count = 3;
    for (int e = 0; e < 3; e++) {
        simplex->point[e] = polytope->point[face->point[e]];
    }
    carom_simplex_reduce(simplex);
}

/* Looks beyond the nearest face. True if the search goes on: the polytope then has a new last point. */
static bool look_beyond(const carom_difference *difference, const carom_goal *goal, const carom_polytope_face *face,
                        carom_polytope *polytope, carom_bracket *bracket) {
    if (face->distance > 0.0) {
        bracket->upper = fmin(bracket->upper, difference->error - face->distance);
    }
    const double back[3] = {-face->normal[0], -face->normal[1], -face->normal[2]};
    carom_difference_point next;
    const double least = carom_difference_support(difference, back, &next);
    carom_bracket_raise(bracket, difference, back, least);
    bracket->iterations++;
    if (carom_goal_reached(goal, bracket->lower, bracket->upper) || bracket->lower > 0.0 ||
        polytope->point_count == CAROM_POLYTOPE_POINTS || -least <= face->distance + polytope->flat) {
        return false;
    }
    polytope->point[polytope->point_count++] = next;
    return true;
}

bool carom_epa(const carom_difference *difference, const carom_goal *goal, carom_bracket *bracket) {
    carom_polytope polytope;
    polytope.flat = 0.5 * difference->error;
    if (!complete(difference, bracket, &polytope)) {
        bracket->upper = fmin(bracket->upper, carom_vector_length(bracket->closest.closest) + difference->error);
        return true;
    }
    carom_polytope_face face;
    bool grown = true;
    while (grown) {
        const uint32_t nearest = carom_polytope_nearest(&polytope);
        face = polytope.face[nearest];
        grown = look_beyond(difference, goal, &face, &polytope, bracket) && carom_polytope_grow(&polytope, nearest);
    }
    take_face(&polytope, &face, &bracket->closest);
    return !(bracket->lower > 0.0);
}
