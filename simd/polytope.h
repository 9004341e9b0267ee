/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A closed surface of triangles between points of a difference, which grows from a tetrahedron until it meets the
 * difference's boundary where that is closest to the origin.
 *
 * The surface stays closed whatever rounding does, because faces are only replaced together, by a fan between the new
 * point and their outline. A face's distance is the least of its corners along its normal, which bounds its distance
 * from the origin from below however inexact the normal is. If all distances are positive the surface winds around the
 * origin, and a ball of the least distance lies inside: that is the proof of a depth. */
#ifndef CAROM_SIMD_POLYTOPE_H
#define CAROM_SIMD_POLYTOPE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "simd/convex.h"
#include "simd/vector.h"

enum {
    CAROM_POLYTOPE_POINTS = 100,
    CAROM_POLYTOPE_FACES = 200, /* more than 2 * POINTS - 4, those of a closed surface; a multiple of 8 */
    CAROM_POLYTOPE_NONE = 255
};

/* Faces are numbered; the numbers of points and faces fit into a byte. */
typedef struct carom_polytope {
    uint32_t point_count;
    uint32_t face_count; /* numbers in use or free */
    uint32_t free;       /* the first free number, linked by neighbour[][0]; NONE: none */
    double flat;         /* heights of less are rounding */
    _Alignas(
        64) double distance[CAROM_POLYTOPE_FACES]; /* no point of the face is closer to the origin; infinite: free */
    double normal[3][CAROM_POLYTOPE_FACES];        /* outward, of length 1 to rounding */
    uint8_t corner[CAROM_POLYTOPE_FACES][4];       /* its three points, counterclockwise seen from outside */
    uint8_t neighbour[CAROM_POLYTOPE_FACES][4];    /* the face across the edge from corner e to corner e + 1 */
    carom_difference_point point[CAROM_POLYTOPE_POINTS];
} carom_polytope;

/* The outline of removed faces: edge n runs from point from[n] to point to[n], and face beyond[n] stays. */
typedef struct carom_polytope_outline {
    uint32_t count;
    uint8_t from[CAROM_POLYTOPE_FACES];
    uint8_t to[CAROM_POLYTOPE_FACES];
    uint8_t beyond[CAROM_POLYTOPE_FACES];
    uint8_t entry[CAROM_POLYTOPE_FACES]; /* the number of the new face at the edge */
} carom_polytope_outline;

/* Sets the normal and distance of a face by its corners: the direction of the triangle's plane; for a triangle without
 * area, that of its first corner. */
static inline void carom_polytope_set_plane(carom_polytope *polytope, uint32_t face) {
    const double *p = polytope->point[polytope->corner[face][0]].w;
    const double *q = polytope->point[polytope->corner[face][1]].w;
    const double *r = polytope->point[polytope->corner[face][2]].w;
    const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double f[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    double n[3];
    carom_vector_cross(e, f, n);
    const double square = carom_vector_dot(n, n);
    const bool has_area = square > CAROM_TRIANGLE_AREA;
    const double scale = has_area ? 1.0 / sqrt(square) : 1.0 / carom_vector_length(p);
    for (int d = 0; d < 3; d++) {
        n[d] = scale * (has_area ? n[d] : p[d]);
        polytope->normal[d][face] = n[d];
    }
    const double to_p = carom_vector_dot(n, p);
    const double to_q = carom_vector_dot(n, q);
    const double to_r = carom_vector_dot(n, r);
    const double least = to_q < to_p ? to_q : to_p;
    polytope->distance[face] = to_r < least ? to_r : least;
}

/* The face with the least distance; the lowest number of several. */
typedef uint32_t carom_polytope_nearest(const carom_polytope *polytope);

static inline uint32_t carom_polytope_find_nearest(const carom_polytope *polytope) {
    uint32_t nearest = 0;
    for (uint32_t n = 1; n < polytope->face_count; n++) {
        nearest = polytope->distance[n] < polytope->distance[nearest] ? n : nearest;
    }
    return nearest;
}

static inline void carom_polytope_set_face(carom_polytope *polytope, uint32_t face, const uint8_t corner[3],
                                           const uint8_t neighbour[3]) {
    for (int e = 0; e < 3; e++) {
        polytope->corner[face][e] = corner[e];
        polytope->neighbour[face][e] = neighbour[e];
    }
    carom_polytope_set_plane(polytope, face);
}

/* Begins with the tetrahedron of the first four points, which are set. False if it has no volume. */
static inline bool carom_polytope_begin(carom_polytope *polytope) {
    const double *o = polytope->point[0].w;
    double side[3][3];
    for (int n = 0; n < 3; n++) {
        for (int d = 0; d < 3; d++) {
            side[n][d] = polytope->point[n + 1].w[d] - o[d];
        }
    }
    double cross[3];
    carom_vector_cross(side[0], side[1], cross);
    const double volume = carom_vector_dot(cross, side[2]);
    if (!(volume > 0.0) && !(volume < 0.0)) {
        return false;
    }
    /* Point 3 lies behind the face of points 0, 1 and 2 seen from outside. */
    const uint8_t b = volume < 0.0 ? 1 : 2;
    const uint8_t c = volume < 0.0 ? 2 : 1;
    polytope->free = CAROM_POLYTOPE_NONE;
    polytope->face_count = 4;
    for (int n = 0; n < CAROM_POLYTOPE_FACES; n++) {
        polytope->distance[n] = HUGE_VAL;
    }
    carom_polytope_set_face(polytope, 0, (const uint8_t[3]){0, b, c}, (const uint8_t[3]){1, 2, 3});
    carom_polytope_set_face(polytope, 1, (const uint8_t[3]){b, 0, 3}, (const uint8_t[3]){0, 3, 2});
    carom_polytope_set_face(polytope, 2, (const uint8_t[3]){c, b, 3}, (const uint8_t[3]){0, 1, 3});
    carom_polytope_set_face(polytope, 3, (const uint8_t[3]){0, c, 3}, (const uint8_t[3]){0, 2, 1});
    return true;
}

/* A free number, or NONE. */
static inline uint32_t carom_polytope_take_number(carom_polytope *polytope) {
    const uint32_t face = polytope->free;
    if (face != CAROM_POLYTOPE_NONE) {
        polytope->free = polytope->neighbour[face][0];
        return face;
    }
    return polytope->face_count < CAROM_POLYTOPE_FACES ? polytope->face_count++ : CAROM_POLYTOPE_NONE;
}

static inline bool carom_polytope_sees(const carom_polytope *polytope, uint32_t face, const double w[3]) {
    const double far =
        polytope->normal[0][face] * w[0] + polytope->normal[1][face] * w[1] + polytope->normal[2][face] * w[2];
    return far > polytope->distance[face] + polytope->flat;
}

/* Collects the faces that w sees, from `first` on, across edges. Returns how many. */
static inline uint32_t carom_polytope_seen(const carom_polytope *polytope, uint32_t first, const double w[3],
                                           uint8_t list[CAROM_POLYTOPE_FACES], bool is_seen[CAROM_POLYTOPE_FACES]) {
    uint32_t count = 1;
    list[0] = (uint8_t)first;
    is_seen[first] = true;
    for (uint32_t n = 0; n < count; n++) {
        for (int e = 0; e < 3; e++) {
            const uint8_t next = polytope->neighbour[list[n]][e];
            if (!is_seen[next] && carom_polytope_sees(polytope, next, w)) {
                is_seen[next] = true;
                list[count++] = next;
            }
        }
    }
    return count;
}

/* Removes the faces that the last point sees. */
static inline void carom_polytope_remove_seen(carom_polytope *polytope, uint32_t first,
                                              carom_polytope_outline *outline) {
    uint8_t list[CAROM_POLYTOPE_FACES];
    bool is_seen[CAROM_POLYTOPE_FACES] = {false};
    const double *w = polytope->point[polytope->point_count - 1].w;
    const uint32_t count = carom_polytope_seen(polytope, first, w, list, is_seen);
    outline->count = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint8_t face = list[n];
        for (int e = 0; e < 3; e++) {
            if (!is_seen[polytope->neighbour[face][e]]) {
                outline->from[outline->count] = polytope->corner[face][e];
                outline->to[outline->count] = polytope->corner[face][e < 2 ? e + 1 : 0];
                outline->beyond[outline->count++] = polytope->neighbour[face][e];
            }
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        polytope->neighbour[list[n]][0] = (uint8_t)polytope->free;
        polytope->distance[list[n]] = HUGE_VAL;
        polytope->free = list[n];
    }
}

static inline void carom_polytope_swap(uint8_t *a, uint8_t *b) {
    const uint8_t other = *a;
    *a = *b;
    *b = other;
}

/* Puts the edges in the order of one loop. False if they make none. */
static inline bool carom_polytope_order(carom_polytope_outline *outline) {
    for (uint32_t n = 0; n + 1 < outline->count; n++) {
        uint32_t next = n + 1;
        while (next < outline->count && outline->from[next] != outline->to[n]) {
            next++;
        }
        if (next == outline->count) {
            return false;
        }
        carom_polytope_swap(&outline->from[next], &outline->from[n + 1]);
        carom_polytope_swap(&outline->to[next], &outline->to[n + 1]);
        carom_polytope_swap(&outline->beyond[next], &outline->beyond[n + 1]);
    }
    return outline->count >= 3 && outline->to[outline->count - 1] == outline->from[0];
}

static inline bool carom_polytope_number(carom_polytope *polytope, carom_polytope_outline *outline) {
    for (uint32_t n = 0; n < outline->count; n++) {
        const uint32_t face = carom_polytope_take_number(polytope);
        if (face == CAROM_POLYTOPE_NONE) {
            return false;
        }
        outline->entry[n] = (uint8_t)face;
    }
    return true;
}

/* Tells face `beyond` that `face` is now across its edge between the points from and to. */
static inline void carom_polytope_join(carom_polytope *polytope, uint8_t beyond, uint8_t from, uint8_t to,
                                       uint8_t face) {
    for (int e = 0; e < 3; e++) {
        const int after = e < 2 ? e + 1 : 0;
        if (polytope->corner[beyond][e] == from && polytope->corner[beyond][after] == to) {
            polytope->neighbour[beyond][e] = face;
        }
    }
}

/* Adds the last point, point[point_count - 1], which lies beyond face `first`: replaces all faces that it sees by those
 * from it to their outline. False, and the surface is of no more use, if rounding leaves no outline of one loop. */
static inline bool carom_polytope_grow(carom_polytope *polytope, uint32_t first) {
    carom_polytope_outline outline;
    carom_polytope_remove_seen(polytope, first, &outline);
    if (!carom_polytope_order(&outline) || !carom_polytope_number(polytope, &outline)) {
        return false;
    }
    const uint8_t apex = (uint8_t)(polytope->point_count - 1);
    for (uint32_t n = 0; n < outline.count; n++) {
        const uint8_t after = outline.entry[n + 1 < outline.count ? n + 1 : 0];
        const uint8_t before = outline.entry[n > 0 ? n - 1 : outline.count - 1];
        carom_polytope_join(polytope, outline.beyond[n], outline.to[n], outline.from[n], outline.entry[n]);
        carom_polytope_set_face(polytope, outline.entry[n], (const uint8_t[3]){outline.from[n], outline.to[n], apex},
                                (const uint8_t[3]){outline.beyond[n], after, before});
    }
    return true;
}

#endif
