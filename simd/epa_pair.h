/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The depth of one pair of cores (simd/epa_search.h), for the twin, and for kernels that have few pairs. They differ in
 * how they find supports and the nearest face. */
#ifndef CAROM_SIMD_EPA_PAIR_H
#define CAROM_SIMD_EPA_PAIR_H

#include "simd/epa_room.h"
#include "simd/epa_search.h"
#include "simd/newton/cap.h"

typedef struct carom_epa_pair {
    _Alignas(64) double distance[CAROM_POLYTOPE_FACES]; /* of each face; infinite: there is none */
    double normal[CAROM_POLYTOPE_FACES][3];
    carom_epa_search search;
} carom_epa_pair;
_Static_assert(sizeof(carom_epa_pair) <= CAROM_EPA_ROOM_BYTES, "there is room for a pair");

/* The face with the least distance; the lowest number of several. Distances after the last face are infinite. */
typedef uint32_t carom_epa_nearest(const double *distance, uint32_t count);

static inline void carom_epa_set_plane(carom_epa_pair *pair, uint32_t face) {
    carom_polytope_plane plane;
    carom_polytope_plane_of(&pair->search.polytope, face, &plane);
    pair->distance[face] = plane.distance;
    for (int d = 0; d < 3; d++) {
        pair->normal[face][d] = plane.normal[d];
    }
}

/* Looks from the face along `back`, into the polytope: the next point. True if the search goes on. *lower becomes the
 * bound that the direction proves. */
static inline bool carom_epa_look_beyond(carom_epa_pair *pair, carom_core_support *support, uint32_t face,
                                         const double back[3], double *lower, carom_difference_point *next) {
    carom_epa_search *search = &pair->search;
    const carom_polytope *polytope = &search->polytope;
    carom_bracket *bracket = search->bracket;
    const double distance = pair->distance[face];
    const double error = search->difference.error;
    if (distance > 0.0 && error - distance < bracket->upper) {
        bracket->upper = error - distance;
    }
    const double least = carom_difference_support_by(support, &search->difference, back, next);
    carom_bracket_raise(bracket, error, back, least);
    *lower = least / carom_vector_length(back) - error;
    bracket->iterations++;
    return !carom_goal_reached(search->goal, *lower, bracket->upper) && !(bracket->lower > 0.0) &&
           polytope->point_count < CAROM_POLYTOPE_POINTS && !(-least <= distance + search->flat);
}

/* Whether the answer is proved from how round cores bend. `nearest` is the nearest face. */
static inline bool carom_epa_is_proved(carom_epa_pair *pair, uint32_t nearest) {
    const double *normal = pair->normal[0];
    const carom_cap_planes planes = {pair->distance, {&normal[0], &normal[1], &normal[2]}, 1, 3};
    return carom_cap_is_due(&pair->search, pair->distance[nearest]) && carom_cap_prove(&pair->search, &planes);
}

/* A new point, which looks at faces. With copies, so that compilers know that nothing changes them meanwhile. */
typedef struct carom_epa_viewer {
    const carom_epa_pair *pair;
    double w[3];
    double flat;
} carom_epa_viewer;

static inline carom_epa_viewer carom_epa_viewer_of(const carom_epa_pair *pair) {
    const carom_polytope *polytope = &pair->search.polytope;
    const double *w = polytope->point[polytope->point_count - 1].w;
    return (carom_epa_viewer){pair, {w[0], w[1], w[2]}, pair->search.flat};
}

/* Whether the point lies in front of the face's plane by more than rounding. */
static inline bool carom_epa_viewer_sees(const void *viewer, uint32_t face) {
    const carom_epa_viewer *from = viewer;
    return carom_vector_dot(from->pair->normal[face], from->w) > from->pair->distance[face] + from->flat;
}

/* Replaces the faces that the last point sees. */
static inline bool carom_epa_grow(carom_epa_pair *pair, uint32_t first) {
    carom_polytope *polytope = &pair->search.polytope;
    const carom_epa_viewer viewer = carom_epa_viewer_of(pair);
    carom_polytope_fan fan;
    carom_polytope_faces seen = {{0}};
    carom_polytope_flood(polytope, first, carom_epa_viewer_sees, &viewer, fan.face, &seen);
    if (!carom_polytope_grow(polytope, first, &seen, &fan)) {
        return false;
    }
    for (uint32_t n = 0; n < fan.count; n++) {
        carom_epa_set_plane(pair, fan.face[n]);
    }
    for (uint32_t n = fan.count; n < fan.gone; n++) {
        pair->distance[fan.face[n]] = HUGE_VAL;
    }
    return true;
}

/* Answers a pair that gjk left with an overlap. False if the cores are apart after all. *pair is work space. */
static inline __attribute__((always_inline)) bool
carom_epa_find(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket,
               carom_core_support *support, carom_epa_nearest *find_nearest, carom_epa_pair *pair) {
    if (!carom_epa_begin(i, k, goal, bracket, &pair->search)) {
        return true;
    }
    for (uint32_t face = 0; face < CAROM_POLYTOPE_FACES; face++) {
        pair->distance[face] = HUGE_VAL;
    }
    for (uint32_t face = 0; face < 4; face++) {
        carom_epa_set_plane(pair, face);
    }
    for (;;) {
        const uint32_t nearest = find_nearest(pair->distance, pair->search.polytope.face_count);
        const double *normal = pair->normal[nearest];
        const double back[3] = {-normal[0], -normal[1], -normal[2]};
        carom_difference_point next;
        double lower;
        if (!carom_epa_look_beyond(pair, support, nearest, back, &lower, &next)) {
            carom_epa_answer(&pair->search, nearest, back, lower);
            return !(bracket->lower > 0.0);
        }
        if (carom_epa_is_proved(pair, nearest)) {
            return true;
        }
        pair->search.polytope.point[pair->search.polytope.point_count++] = next;
        if (!carom_epa_grow(pair, nearest)) {
            carom_epa_take_best(&pair->search);
            return true;
        }
    }
}

#endif
