/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The search for a depth (van den Bergen 2001): what the kernel and its twin share, a pair at a time.
 *
 * The least support of the Minkowski difference over all directions is the depth. Any direction's is an upper bound of
 * it; the least distance of the faces of a polytope of the difference's points is a lower one, once the polytope winds
 * around the origin. Each step adds the point beyond the nearest face. The bracket is of the signed distance, -depth: a
 * bound from above of one is a bound from below of the other.
 *
 * Where the search before ended in fewer than four points, or in points of one plane, supports along and against the
 * missing directions complete them. A difference without volume (two segments that cross, two flat shapes of one plane)
 * has depth 0, along the direction in which it is flat. */
#ifndef CAROM_SIMD_EPA_SEARCH_H
#define CAROM_SIMD_EPA_SEARCH_H

#include "simd/polytope.h"
#include "simd/ref/difference.h"
#include "simd/ref/simplex.h"

typedef struct carom_epa_search {
    carom_difference difference;
    const carom_goal *goal;
    carom_bracket *bracket;
    double flat;      /* heights above a face of less are rounding */
    uint32_t cap_due; /* points with which the proof of simd/newton/cap.h is tried next */
    carom_polytope polytope;
} carom_epa_search;

/* Points of a polytope with which the proof of simd/newton/cap.h is first tried: few for brackets narrower than this; a
 * wider one is soon reached without it. */
#define CAROM_EPA_NARROW 0x1p-30
enum { CAROM_EPA_CAP_NARROW = 6, CAROM_EPA_CAP_WIDE = 12 };

/* Extents of less than this, relative to the difference's size, are those of rounding. */
#define CAROM_EPA_FLAT 0x1p-45

static inline void carom_epa_subtract(const double a[3], const double b[3], double c[3]) {
    for (int d = 0; d < 3; d++) {
        c[d] = a[d] - b[d];
    }
}

/* How far w is from the first `count` points of the polytope: from a point, a line or a plane. */
static inline double carom_epa_extent(const carom_polytope *polytope, uint32_t count, const double w[3]) {
    double e[3];
    double f[3];
    double g[3];
    double n[3];
    carom_epa_subtract(w, polytope->point[0].w, g);
    if (count == 1) {
        return carom_vector_length(g);
    }
    carom_epa_subtract(polytope->point[1].w, polytope->point[0].w, e);
    if (count == 2) {
        carom_vector_cross(e, g, n);
        return carom_vector_length(n) / carom_vector_length(e);
    }
    carom_epa_subtract(polytope->point[2].w, polytope->point[0].w, f);
    carom_vector_cross(e, f, n);
    return carom_vector_unit(n, n) ? fabs(carom_vector_dot(n, g)) : 0.0;
}

/* Unit vectors along which one, two or three points have no extent. Returns how many: three, two or one. */
static inline uint32_t carom_epa_flat_axes(const carom_polytope *polytope, double axis[3][3]) {
    double e[3];
    double f[3];
    if (polytope->point_count == 1) {
        for (int a = 0; a < 3; a++) {
            for (int d = 0; d < 3; d++) {
                axis[a][d] = a == d ? 1.0 : 0.0;
            }
        }
        return 3;
    }
    carom_epa_subtract(polytope->point[1].w, polytope->point[0].w, e);
    if (polytope->point_count == 2) {
        carom_vector_across(e, axis[0]);
        carom_vector_cross(e, axis[0], axis[1]);
        (void)carom_vector_unit(axis[1], axis[1]);
        return 2;
    }
    carom_epa_subtract(polytope->point[2].w, polytope->point[0].w, f);
    carom_vector_cross(e, f, axis[0]);
    (void)carom_vector_unit(axis[0], axis[0]);
    return 1;
}

/* Directions in which the next point may lie outside the points so far: along these axes and against them. Returns how
 * many. */
static inline uint32_t carom_epa_directions(const carom_polytope *polytope, double n[6][3]) {
    double axis[3][3];
    const uint32_t axes = carom_epa_flat_axes(polytope, axis);
    for (uint32_t a = 0; a < axes; a++) {
        for (int d = 0; d < 3; d++) {
            n[2 * a][d] = axis[a][d];
            n[2 * a + 1][d] = -axis[a][d];
        }
    }
    return 2 * axes;
}

/* The point with the least n.w, and that product: notes the bound of the depth that n proves. */
static inline double carom_epa_look(carom_epa_search *search, const double n[3], carom_difference_point *point) {
    const double least = carom_difference_support(&search->difference, n, point);
    carom_bracket_raise(search->bracket, search->difference.error, n, least);
    return least;
}

/* Adds the point that lies farthest outside the points so far. False if none does by more than rounding. */
static inline bool carom_epa_add_point(carom_epa_search *search) {
    carom_polytope *polytope = &search->polytope;
    const uint32_t count = polytope->point_count;
    double most = CAROM_EPA_FLAT * search->difference.size;
    bool found = false;
    double n[6][3];
    const uint32_t tries = carom_epa_directions(polytope, n);
    for (uint32_t m = 0; m < tries; m++) {
        carom_difference_point next;
        (void)carom_epa_look(search, n[m], &next);
        const double far = carom_epa_extent(polytope, count, next.w);
        if (far > most) {
            most = far;
            found = true;
            polytope->point[count] = next;
        }
    }
    polytope->point_count += found ? 1 : 0;
    return found;
}

/* Whether the simplex's four points span a tetrahedron, by more than rounding. */
static inline bool carom_epa_has_volume(const carom_epa_search *search, const carom_simplex *simplex) {
    const double flat = CAROM_EPA_FLAT * search->difference.size;
    const double square = flat * flat;
    double e[3];
    double f[3];
    double g[3];
    double n[3];
    carom_epa_subtract(simplex->point[1].w, simplex->point[0].w, e);
    carom_epa_subtract(simplex->point[2].w, simplex->point[0].w, f);
    carom_epa_subtract(simplex->point[3].w, simplex->point[0].w, g);
    carom_vector_cross(e, f, n);
    const double length = carom_vector_dot(e, e);
    const double area = carom_vector_dot(n, n);
    return length > square && area > square * length && fabs(carom_vector_dot(n, g)) > flat * sqrt(area);
}

/* The simplex's points as the polytope's, without those that add no extent. Its fourth point counts. */
static inline void carom_epa_take_simplex(carom_epa_search *search) {
    const carom_simplex *simplex = &search->bracket->simplex;
    carom_polytope *polytope = &search->polytope;
    const bool around = simplex->weight[0] > 0.0 && simplex->weight[1] > 0.0 && simplex->weight[2] > 0.0;
    if (around && carom_epa_has_volume(search, simplex)) {
        memcpy(polytope->point, simplex->point, sizeof simplex->point);
        polytope->point_count = 4;
        return;
    }
    polytope->point_count = 0;
    for (uint32_t n = 0; n < 4; n++) {
        const uint32_t count = polytope->point_count;
        const bool is_part = n < 3 ? simplex->weight[n] > 0.0 : around;
        if (is_part && (count == 0 || carom_epa_extent(polytope, count, simplex->point[n].w) >
                                          CAROM_EPA_FLAT * search->difference.size)) {
            polytope->point[count] = simplex->point[n];
            polytope->point_count++;
        }
    }
}

/* False if the difference has no volume: then the bracket is the answer. */
static inline bool carom_epa_begin(const carom_posed *i, const carom_posed *k, const carom_goal *goal,
                                   carom_bracket *bracket, carom_epa_search *search) {
    search->difference = carom_difference_make(i, k);
    search->goal = goal;
    search->bracket = bracket;
    search->flat = 0.5 * search->difference.error;
    search->cap_due = goal->width < CAROM_EPA_NARROW ? CAROM_EPA_CAP_NARROW : CAROM_EPA_CAP_WIDE;
    carom_epa_take_simplex(search);
    while (search->polytope.point_count < 4) {
        if (!carom_epa_add_point(search)) {
            return false;
        }
    }
    return carom_polytope_begin(&search->polytope);
}

/* Whether the origin projects into the triangle of entries 0, 1 and 3 of the simplex: then that is its closest part. */
static inline bool carom_epa_is_inside(const carom_simplex *triangle, carom_simplex_part *part) {
    const carom_simplex_edges edges = carom_simplex_edges_of(triangle);
    *part = (carom_simplex_part){.square = HUGE_VAL};
    (void)carom_simplex_try_face(&edges, 0, 1, part);
    return part->square < HUGE_VAL;
}

/* The face as a simplex, reduced to the points that its closest point is made of. */
static inline void carom_epa_take_face(const carom_polytope *polytope, uint32_t face, carom_simplex *simplex) {
    const uint8_t *corner = &polytope->corner[4 * face];
    carom_simplex_part part;
    double sum[3];
    *simplex = (carom_simplex){.weight = {1.0, 1.0, 0.0}};
    simplex->point[0] = polytope->point[corner[0]];
    simplex->point[1] = polytope->point[corner[1]];
    simplex->point[3] = polytope->point[corner[2]];
    if (!carom_epa_is_inside(simplex, &part)) {
        (void)carom_simplex_find(simplex, &part); /* three points hold no origin */
        /* The closest point may be on the edge without the third point. */
        carom_simplex edge = {.weight = {1.0, 0.0, 0.0}};
        carom_simplex_part edge_part;
        edge.point[0] = simplex->point[0];
        edge.point[3] = simplex->point[1];
        (void)carom_simplex_find(&edge, &edge_part);
        if (edge_part.square < part.square) {
            *simplex = edge;
            part = edge_part;
        }
    }
    carom_simplex_sum(simplex, part.weight, sum);
    carom_simplex_keep(simplex, &part, sum);
}

/* Bounds of this many errors are as good as one another. */
#define CAROM_EPA_ALIKE 4.0

/* The points of a polytope that lie in a plane: bit n % 64 of word n / 64. */
typedef struct carom_epa_plane_points {
    uint64_t word[(CAROM_POLYTOPE_POINTS + 63) / 64];
} carom_epa_plane_points;

/* Those whose product with n is `most` or less. */
static inline carom_epa_plane_points carom_epa_points_in(const carom_epa_search *search, const double n[3],
                                                         double most) {
    carom_epa_plane_points points = {{0}};
    for (uint32_t p = 0; p < search->polytope.point_count; p++) {
        const uint64_t is_in = carom_vector_dot(n, search->polytope.point[p].w) <= most ? 1 : 0;
        points.word[p / 64] |= is_in << (p % 64);
    }
    return points;
}

static inline bool carom_epa_has(const carom_epa_plane_points *points, const uint8_t corner[3]) {
    bool has = false;
    for (int e = 0; e < 3; e++) {
        has = has || (points->word[corner[e] / 64] >> (corner[e] % 64) & 1) != 0;
    }
    return has;
}

/* Of the faces whose closest points are as far along n as the bracket allows, takes the one closest to the origin: a
 * side of the difference that is flat, or almost flat, is made of several, and one of them holds the origin's
 * projection. The simplex stays as it is if it is as close. Numbers that are not in use are those of faces that have
 * been: they hold points of the difference, too. */
static inline void carom_epa_take_side(carom_epa_search *search, const double n[3], double lower) {
    const double error = search->difference.error;
    const double enough = (CAROM_EPA_ALIKE + 1.0) * error - lower;
    carom_simplex *simplex = &search->bracket->simplex;
    double length = carom_vector_length(simplex->closest);
    if (length <= enough) {
        return;
    }
    const double width = search->bracket->upper - lower;
    const double slack = CAROM_EPA_ALIKE * error;
    const double most = lower + error + (width > slack ? width : slack);
    const carom_epa_plane_points points = carom_epa_points_in(search, n, most);
    for (uint32_t face = 0; face < search->polytope.face_count && length > enough; face++) {
        if (carom_epa_has(&points, &search->polytope.corner[4 * face])) {
            carom_simplex other;
            carom_epa_take_face(&search->polytope, face, &other);
            const double next = carom_vector_length(other.closest);
            if (next < length && carom_vector_dot(n, other.closest) <= most) {
                *simplex = other;
                length = next;
            }
        }
    }
}

/* The point that is farthest along the best normal, as a simplex, or a closer one of the same flat side. */
static inline void carom_epa_take_best(carom_epa_search *search) {
    carom_bracket *bracket = search->bracket;
    carom_difference_point point;
    (void)carom_difference_support(&search->difference, bracket->normal, &point);
    carom_bracket_take_point(bracket, &point);
    carom_epa_take_side(search, bracket->normal, bracket->lower);
}

/* Whether the closest point of a face is as far along the face's normal as the bracket says. The normal of a face that
 * is nearly a line proves a bound, but may be askew to the points. */
static inline bool carom_epa_fits(const carom_epa_search *search, const double closest[3], const double back[3],
                                  double lower) {
    const double along = carom_vector_dot(closest, back);
    const double slack = CAROM_EPA_ALIKE * search->difference.error;
    return along >= lower - slack && along <= search->bracket->upper + slack;
}

/* Chooses the normal and the points of the answer, which must belong together. They are those of `face`, the nearest
 * one, with two exceptions: another direction has proved a better lower bound, or the face's normal does not fit its
 * points. Then the normal is that of the best bound, and the point is the one farthest along it. `back` is the
 * direction from the face into the polytope, and `lower` the bound that it proves. */
static inline void carom_epa_answer(carom_epa_search *search, uint32_t face, const double back[3], double lower) {
    carom_bracket *bracket = search->bracket;
    const bool is_worse = bracket->lower - lower > CAROM_EPA_ALIKE * search->difference.error &&
                          !carom_goal_reached(search->goal, lower, bracket->upper);
    carom_epa_take_face(&search->polytope, face, &bracket->simplex);
    const double upper = carom_vector_length(bracket->simplex.closest) + search->difference.error;
    bracket->upper = upper < bracket->upper ? upper : bracket->upper; /* the origin may lie on the face */
    if (is_worse || !carom_epa_fits(search, bracket->simplex.closest, back, lower)) {
        carom_epa_take_best(search);
        return;
    }
    bracket->lower = lower;
    for (int d = 0; d < 3; d++) {
        bracket->normal[d] = back[d];
    }
    carom_epa_take_side(search, back, lower);
}

#endif
