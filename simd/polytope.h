/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A closed surface of triangles between points of a Minkowski difference, which grows from a tetrahedron until it meets
 * the difference's boundary where that is closest to the origin. Here are its points and which faces share an edge;
 * searches keep the faces' planes beside it.
 *
 * The surface stays closed whatever rounding does, because faces are only replaced together: those that a new point
 * sees go, and a fan of new ones joins the point to their horizon, the loop of edges around them. A face's distance is
 * the least of its corners along its normal, which bounds its distance from the origin from below however inexact the
 * normal is. If all distances are positive the surface winds around the origin, and a ball of the least distance lies
 * inside: that is the proof of a depth.
 *
 * Faces are numbered. Edge e of face f, from its corner e to the next one, is half-edge 4 f + e (Weiler 1985); the same
 * edge of the face beyond runs the other way. */
#ifndef CAROM_SIMD_POLYTOPE_H
#define CAROM_SIMD_POLYTOPE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "simd/compare.h"
#include "simd/convex.h"
#include "simd/vector.h"

enum {
    CAROM_POLYTOPE_POINTS = 92, /* as many as fit into CAROM_STACK_BYTES beside a proof (simd/newton) */
    CAROM_POLYTOPE_FACES = 184,                       /* more than 2 * POINTS - 4, those of a closed surface */
    CAROM_POLYTOPE_EDGES = CAROM_POLYTOPE_POINTS + 3, /* of a horizon: a loop has at most as many as there are points */
    CAROM_POLYTOPE_WORDS = (CAROM_POLYTOPE_FACES + 63) / 64,
    CAROM_POLYTOPE_NONE = UINT16_MAX
};

typedef struct carom_polytope {
    uint32_t point_count;
    uint32_t face_count; /* numbers that are, or were, in use */
    uint16_t free;       /* head of the list of those not in use now, or NONE; after f comes opposite[4 f] */

    /* Of half-edge 4 f + e: the point where it begins, edges of a face going counterclockwise seen from outside; and
     * the half-edge of the face beyond. */
    uint8_t corner[4 * CAROM_POLYTOPE_FACES];
    uint16_t opposite[4 * CAROM_POLYTOPE_FACES];

    carom_difference_point point[CAROM_POLYTOPE_POINTS];
    double after[2]; /* so that eight doubles can be read from every point */
} carom_polytope;

/* A set of faces: bit f % 64 of word f / 64. */
typedef struct carom_polytope_faces {
    uint64_t word[CAROM_POLYTOPE_WORDS];
} carom_polytope_faces;

/* An edge of a horizon, seen as an edge of a face that goes. */
typedef struct carom_polytope_edge {
    uint8_t from; /* points */
    uint8_t to;
    uint16_t beyond; /* its half-edge in the face that stays */
} carom_polytope_edge;

/* How a surface changes: `gone` faces go, and `count` new ones between the horizon and the last point replace them. */
typedef struct carom_polytope_fan {
    uint32_t gone;
    uint32_t count;
    uint8_t face[CAROM_POLYTOPE_FACES + 2]; /* numbers: [0, count) of new faces; [count, gone) not in use any more */
    carom_polytope_edge edge[CAROM_POLYTOPE_EDGES]; /* the horizon, in any order; new face n has edge n */
    uint8_t leaving[CAROM_POLYTOPE_POINTS + 1]; /* of a point of the horizon, the edge that begins there; the last entry
                                                   takes edges that are none of the horizon */
} carom_polytope_fan;

/* The plane of a face. */
typedef struct carom_polytope_plane {
    double normal[3]; /* outward, of length 1 to rounding */
    double distance;  /* no point of the face is closer to the origin */
} carom_polytope_plane;

/* The plane of triangle p, q, r. If that has no area, the normal is the direction of p, or 0 if p is 0. */
static inline void carom_polytope_find_plane(const double p[3], const double q[3], const double r[3],
                                             carom_polytope_plane *plane) {
    const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double f[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    double *n = plane->normal;
    carom_vector_cross(e, f, n);
    const double square = carom_vector_dot(n, n);
    const bool has_area = square > CAROM_TRIANGLE_AREA;
    const double square_p = carom_vector_dot(p, p);
    const double scale = 1.0 / sqrt(has_area ? square : carom_greater(square_p, CAROM_TRIANGLE_AREA));
    for (int d = 0; d < 3; d++) {
        n[d] = scale * (has_area ? n[d] : p[d]);
    }
    const double least = carom_lesser(carom_vector_dot(n, p), carom_vector_dot(n, q));
    plane->distance = carom_lesser(least, carom_vector_dot(n, r));
}

static inline const double *carom_polytope_corner(const carom_polytope *polytope, uint32_t face, uint32_t e) {
    return polytope->point[polytope->corner[4 * face + e]].w;
}

static inline void carom_polytope_plane_of(const carom_polytope *polytope, uint32_t face, carom_polytope_plane *plane) {
    carom_polytope_find_plane(carom_polytope_corner(polytope, face, 0), carom_polytope_corner(polytope, face, 1),
                              carom_polytope_corner(polytope, face, 2), plane);
}

/* Begins with the tetrahedron of the first four points, which are set: faces 0 to 3. False if it has no volume. */
static inline bool carom_polytope_begin(carom_polytope *polytope) {
    static const uint16_t opposite[16] = {4, 8, 12, 0, 0, 14, 9, 0, 1, 6, 13, 0, 2, 10, 5, 0};
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
    const uint8_t corner[16] = {0, b, c, 0, b, 0, 3, 0, c, b, 3, 0, 0, c, 3, 0};
    memcpy(polytope->corner, corner, sizeof corner);
    memcpy(polytope->opposite, opposite, sizeof opposite);
    polytope->face_count = 4;
    polytope->free = CAROM_POLYTOPE_NONE;
    return true;
}

static inline bool carom_polytope_has(const carom_polytope_faces *faces, uint32_t face) {
    return (faces->word[face / 64] >> (face % 64) & 1) != 0;
}

static inline void carom_polytope_insert(carom_polytope_faces *faces, uint32_t face) {
    faces->word[face / 64] |= (uint64_t)1 << (face % 64);
}

/* Whether a face belongs to some faces; `of` says to which. */
typedef bool carom_polytope_test(const void *of, uint32_t face);

/* A flood fill: adds to *reached, which is empty, `first` and the faces that can be reached from there over edges
 * without leaving those that pass the test. list[] is work space. */
static inline __attribute__((always_inline)) void carom_polytope_flood(const carom_polytope *polytope, uint32_t first,
                                                                       carom_polytope_test *test, const void *of,
                                                                       uint8_t list[CAROM_POLYTOPE_FACES],
                                                                       carom_polytope_faces *reached) {
    uint32_t count = 1;
    list[0] = (uint8_t)first;
    carom_polytope_insert(reached, first);
    for (uint32_t n = 0; n < count; n++) {
        for (uint32_t e = 0; e < 3; e++) {
            const uint32_t next = polytope->opposite[4 * (uint32_t)list[n] + e] / 4U;
            if (!carom_polytope_has(reached, next) && test(of, next)) {
                carom_polytope_insert(reached, next);
                list[count++] = (uint8_t)next;
            }
        }
    }
}

static inline bool carom_polytope_is_member(const void *faces, uint32_t face) {
    return carom_polytope_has(faces, face);
}

/* Leaves of some faces those that can be reached from `first`, one of them. list[] is work space. */
static inline void carom_polytope_keep_reached(const carom_polytope *polytope, uint32_t first,
                                               uint8_t list[CAROM_POLYTOPE_FACES], carom_polytope_faces *faces) {
    carom_polytope_faces reached = {{0}};
    carom_polytope_flood(polytope, first, carom_polytope_is_member, faces, list, &reached);
    *faces = reached;
}

/* Adds to a horizon of `count` edges those of `face` that separate it from a face which is none of `faces`. Returns how
 * many edges there are then. Without a branch: an edge between two of `faces` is written, too, and overwritten. */
static inline uint32_t carom_polytope_add_edges(const carom_polytope *polytope, const carom_polytope_faces *faces,
                                                uint32_t face, uint32_t count, carom_polytope_fan *fan) {
    const uint8_t *at = &polytope->corner[4 * face];
    const uint16_t *opposite = &polytope->opposite[4 * face];
    const uint8_t corner[4] = {at[0], at[1], at[2], at[0]};
    const uint16_t beyond[3] = {opposite[0], opposite[1], opposite[2]};
    uint32_t inside[3];
    for (uint32_t e = 0; e < 3; e++) {
        inside[e] = carom_polytope_has(faces, beyond[e] / 4U) ? 1 : 0;
    }
    for (uint32_t e = 0; e < 3; e++) {
        fan->edge[count] = (carom_polytope_edge){corner[e], corner[e + 1], beyond[e]};
        fan->leaving[inside[e] != 0 ? CAROM_POLYTOPE_POINTS : corner[e]] = (uint8_t)count;
        count += 1 - inside[e];
    }
    return count;
}

/* Whether the edges make one loop: from edge to edge, as many steps as there are edges lead back to edge 0, and fewer
 * do not. */
static inline bool carom_polytope_is_loop(const carom_polytope_fan *fan) {
    uint32_t at = 0;
    uint32_t returns = 0;
    for (uint32_t n = 0; n < fan->count; n++) {
        at = fan->leaving[fan->edge[at].to];
        returns += at == 0 ? 1 : 0;
    }
    return at == 0 && returns == 1;
}

/* Whether the faces are one, two that share an edge, or three of which one shares an edge with each of the others: m
 * faces with m + 2 edges around them share m - 1 edges. Their edges make one loop, since no two edges of the surface
 * join the same points. */
static inline bool carom_polytope_is_strip(const carom_polytope_fan *fan) {
    return fan->gone <= 3 && fan->count == fan->gone + 2;
}

/* Lists some faces, which are to go, and finds their horizon. False if that is not one loop. */
static inline bool carom_polytope_horizon(const carom_polytope *polytope, const carom_polytope_faces *faces,
                                          carom_polytope_fan *fan) {
    uint32_t count = 0;
    uint32_t gone = 0;
    for (uint32_t w = 0; 64 * w < polytope->face_count; w++) {
        for (uint64_t bits = faces->word[w]; bits != 0; bits &= bits - 1) {
            const uint32_t face = 64 * w + (uint32_t)__builtin_ctzll(bits);
            fan->face[gone++] = (uint8_t)face;
            count = carom_polytope_add_edges(polytope, faces, face, count, fan);
            if (count > CAROM_POLYTOPE_POINTS) {
                return false;
            }
        }
    }
    fan->gone = gone;
    fan->count = count;
    return carom_polytope_is_strip(fan) || (count >= 3 && carom_polytope_is_loop(fan));
}

/* A number that no face has. */
static inline uint8_t carom_polytope_take_number(carom_polytope *polytope) {
    const uint16_t face = polytope->free;
    if (face == CAROM_POLYTOPE_NONE) {
        return (uint8_t)polytope->face_count++;
    }
    polytope->free = polytope->opposite[4 * face];
    return (uint8_t)face;
}

/* Gives the new faces the numbers of those that go, and others if there are more of them; frees numbers that are left.
 * One loop around m faces that hang together has at most m + 2 edges. False if there are more, or no room for two. */
static inline bool carom_polytope_number(carom_polytope *polytope, carom_polytope_fan *fan) {
    if (fan->count > fan->gone + 2 || polytope->face_count + 2 > CAROM_POLYTOPE_FACES) {
        return false;
    }
    for (uint32_t n = fan->gone; n < fan->count; n++) {
        fan->face[n] = carom_polytope_take_number(polytope);
    }
    for (uint32_t n = fan->count; n < fan->gone; n++) {
        polytope->opposite[4 * fan->face[n]] = polytope->free;
        polytope->free = fan->face[n];
    }
    return true;
}

/* Adds the last point, which has been written: a fan replaces the faces that it sees. `first` is one of them. A face
 * that cannot be reached from there, over edges between faces that are seen, is seen by rounding alone: if the horizon
 * of all is not one loop, such faces stay. False, and the surface is of no more use, if no horizon of one loop is left,
 * or there is no room. */
static inline bool carom_polytope_grow(carom_polytope *polytope, uint32_t first, carom_polytope_faces *seen,
                                       carom_polytope_fan *fan) {
    carom_polytope_insert(seen, first);
    if (!carom_polytope_horizon(polytope, seen, fan)) {
        carom_polytope_keep_reached(polytope, first, fan->face, seen);
        if (!carom_polytope_horizon(polytope, seen, fan)) {
            return false;
        }
    }
    if (!carom_polytope_number(polytope, fan)) {
        return false;
    }
    const uint8_t apex = (uint8_t)(polytope->point_count - 1);
    for (uint32_t n = 0; n < fan->count; n++) {
        const carom_polytope_edge outer = fan->edge[n];
        const uint32_t edge = 4 * (uint32_t)fan->face[n];
        const uint32_t after = 4 * (uint32_t)fan->face[fan->leaving[outer.to]];
        polytope->corner[edge] = outer.from;
        polytope->corner[edge + 1] = outer.to;
        polytope->corner[edge + 2] = apex;
        polytope->opposite[edge] = outer.beyond;
        polytope->opposite[outer.beyond] = (uint16_t)edge;
        polytope->opposite[edge + 1] = (uint16_t)(after + 2);
        polytope->opposite[after + 2] = (uint16_t)(edge + 1);
    }
    return true;
}

#endif
