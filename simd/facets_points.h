/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Points of two hulls that lie opposite each other where the nearest facet of their difference is (simd/facets_pair.h),
 * in the frame of i: those of which the closest point of the facet is the difference. */
#ifndef CAROM_SIMD_FACETS_POINTS_H
#define CAROM_SIMD_FACETS_POINTS_H

#include <string.h>

#include "simd/facets_pair.h"

/* Whether the points are as far apart along the normal as the nearest facet is high, and do not lie beside each other.
 */
static inline bool carom_facets_are_opposite(const carom_facets *f, double point[2][3]) {
    const double slack = CAROM_FACETS_ASIDE * f->difference.size;
    bool are_opposite = true;
    for (int d = 0; d < 3; d++) {
        const double between = point[0][d] - point[1][d];
        are_opposite = are_opposite && fabs(between - f->nearest.height * f->nearest.normal[d]) <= slack;
    }
    return are_opposite;
}

/* Points on two edges, from and to a corner each, that are closest to each other. False if those on their lines are not
 * both between corners, or not opposite each other, as where edges are parallel but for rounding. */
static inline bool carom_facets_points_of_edges(const carom_facets *f, const double from[2][3], const double to[2][3],
                                                double point[2][3]) {
    double along[2][3];
    double between[3];
    double across[3];
    for (int d = 0; d < 3; d++) {
        along[0][d] = to[0][d] - from[0][d];
        along[1][d] = to[1][d] - from[1][d];
        between[d] = from[1][d] - from[0][d];
    }
    carom_vector_cross(along[0], along[1], across);
    const double square = carom_vector_dot(across, across);
    bool are_between = true;
    for (uint32_t s = 0; s < 2; s++) {
        double moment[3];
        carom_vector_cross(between, along[1 - s], moment);
        const double at = carom_vector_dot(moment, across) / square;
        are_between = are_between && at >= 0.0 && at <= 1.0;
        carom_vector_add(from[s], at, along[s], point[s]);
    }
    return are_between && carom_facets_are_opposite(f, point);
}

/* Those of the edges that make the nearest facet. */
static inline bool carom_facets_points_of_arcs(const carom_facets *f, double point[2][3]) {
    double end[2][2][3];
    for (uint32_t s = 0; s < 2; s++) {
        const carom_facets_hull *side = &f->side[s];
        for (int e = 0; e < 2; e++) {
            carom_facets_column(side->vertex, side->hull->edge[f->nearest.feature[s]].vertex[e], end[e][s]);
        }
    }
    return carom_facets_points_of_edges(f, (const double(*)[3])end[0], (const double(*)[3])end[1], point);
}

/* Whether p, in the plane of a face, lies in the face, or beside it by no more than `slack`. */
static inline bool carom_facets_is_in(const carom_facets_hull *side, uint32_t n, const double p[3], double slack) {
    const carom_hull_face *face = &side->hull->face[n];
    const uint32_t *corner = side->hull->corner + face->first;
    double from[3];
    bool is_in = true;
    carom_facets_column(side->vertex, corner[face->count - 1], from);
    for (uint32_t c = 0; c < face->count; c++) {
        double to[3];
        double inward[3];
        carom_facets_column(side->vertex, corner[c], to);
        const double along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        const double at[3] = {p[0] - from[0], p[1] - from[1], p[2] - from[2]};
        carom_vector_cross(side->face[n].normal, along, inward);
        const double inside = carom_vector_dot(inward, at); /* times the length of the side */
        is_in = is_in && (inside >= 0.0 || inside * inside <= slack * slack * carom_vector_dot(along, along));
        for (int d = 0; d < 3; d++) {
            from[d] = to[d];
        }
    }
    return is_in;
}

/* A point of the other hull, and its projection on face n of side s. Returns whether that is in the face,
 * and opposite. */
static inline bool carom_facets_project(const carom_facets *f, uint32_t s, uint32_t n, const double p[3],
                                        double point[2][3]) {
    const carom_facets_face *face = &f->side[s].face[n];
    for (int d = 0; d < 3; d++) {
        point[1 - s][d] = p[d];
    }
    carom_vector_add(p, face->height, face->normal, point[s]);
    return carom_facets_is_in(&f->side[s], n, point[s], CAROM_FACETS_LEVEL * f->difference.size) &&
           carom_facets_are_opposite(f, point);
}

/* Vertices of a hull: corners of a face, or some that are level. */
typedef struct carom_facets_corners {
    uint32_t count;
    uint32_t vertex[CAROM_HULL_AXES_VERTICES];
} carom_facets_corners;

/* Vertices of the other hull that are as high as the one where face n of side s has its height, but for rounding. */
static inline void carom_facets_level(const carom_facets *f, uint32_t s, uint32_t n, carom_facets_corners *level) {
    const carom_facets_hull *other = &f->side[1 - s];
    const carom_facets_face *face = &f->side[s].face[n];
    const double most = carom_vector_dot(face->normal, face->support) + CAROM_FACETS_LEVEL * f->difference.size;
    level->count = 0;
    for (uint32_t m = 0; m < other->hull->vertex_count; m++) {
        double v[3];
        carom_facets_column(other->vertex, m, v);
        level->vertex[level->count] = m;
        level->count += carom_vector_dot(face->normal, v) <= most ? 1 : 0;
    }
}

/* The corners of a face. */
static inline void carom_facets_corners_of(const carom_facets_hull *side, uint32_t n, carom_facets_corners *corners) {
    const carom_hull_face *face = &side->hull->face[n];
    corners->count = face->count;
    memcpy(corners->vertex, side->hull->corner + face->first, face->count * sizeof *corners->vertex);
}

/* The face of the other hull whose normal is opposite to that of face n of side s, but for rounding. False if there is
 * none. */
static inline bool carom_facets_opposite(const carom_facets *f, uint32_t s, uint32_t n, uint32_t *opposite) {
    const carom_facets_hull *other = &f->side[1 - s];
    const double *normal = f->side[s].face[n].normal;
    for (uint32_t m = 0; m < other->hull->face_count; m++) {
        bool is_opposite = true;
        for (int d = 0; d < 3; d++) {
            is_opposite = is_opposite && fabs(other->face[m].normal[d] + normal[d]) <= CAROM_FACETS_ASIDE;
        }
        if (is_opposite) {
            *opposite = m;
            return true;
        }
    }
    return false;
}

/* The first of these vertices of the other hull whose projection on face n of side s is in it. */
static inline bool carom_facets_points_of_vertices(const carom_facets *f, uint32_t s, uint32_t n,
                                                   const carom_facets_corners *level, double point[2][3]) {
    for (uint32_t c = 0; c < level->count; c++) {
        double v[3];
        carom_facets_column(f->side[1 - s].vertex, level->vertex[c], v);
        if (carom_facets_project(f, s, n, v, point)) {
            return true;
        }
    }
    return false;
}

static inline void carom_facets_side(const carom_facets_hull *hull, const carom_facets_corners *corners, uint32_t n,
                                     double from[3], double to[3]) {
    carom_facets_column(hull->vertex, corners->vertex[n], from);
    carom_facets_column(hull->vertex, corners->vertex[n + 1 < corners->count ? n + 1 : 0], to);
}

/* Where sides of two features cross, seen along the normal: corners[s] are those of side s, in order. */
static inline bool carom_facets_points_of_sides(const carom_facets *f, const carom_facets_corners corners[2],
                                                double point[2][3]) {
    for (uint32_t n = 0; n < corners[0].count; n++) {
        double from[2][3];
        double to[2][3];
        carom_facets_side(&f->side[0], &corners[0], n, from[0], to[0]);
        for (uint32_t m = 0; m < corners[1].count; m++) {
            carom_facets_side(&f->side[1], &corners[1], m, from[1], to[1]);
            if (carom_facets_points_of_edges(f, (const double(*)[3])from, (const double(*)[3])to, point)) {
                return true;
            }
        }
    }
    return false;
}

/* Several vertices of the other hull may be level where the nearest face has its height, so that several facets are as
 * near. Points are one of these vertices, or on an edge across a side of the face; or a corner of the face above the
 * one that lies opposite, or where sides of both cross. */
static inline bool carom_facets_points_of_level(const carom_facets *f, double point[2][3]) {
    const uint32_t s = f->nearest.side;
    const uint32_t n = f->nearest.feature[0];
    carom_facets_corners corners[2];
    uint32_t opposite;
    carom_facets_level(f, s, n, &corners[1 - s]);
    if (corners[1 - s].count < 2 || carom_facets_points_of_vertices(f, s, n, &corners[1 - s], point)) {
        return corners[1 - s].count >= 2;
    }
    if (corners[1 - s].count > 2) {
        if (!carom_facets_opposite(f, s, n, &opposite)) {
            return false;
        }
        carom_facets_level(f, 1 - s, opposite, &corners[s]);
        if (carom_facets_points_of_vertices(f, 1 - s, opposite, &corners[s], point)) {
            return true;
        }
        carom_facets_corners_of(&f->side[1 - s], opposite, &corners[1 - s]);
    }
    carom_facets_corners_of(&f->side[s], n, &corners[s]);
    return carom_facets_points_of_sides(f, corners, point);
}

/* The vertex of the other hull where the nearest face has its height, and its projection on the face, if it is in it.
 */
static inline bool carom_facets_points_of_face(const carom_facets *f, double point[2][3]) {
    const uint32_t s = f->nearest.side;
    const uint32_t n = f->nearest.feature[0];
    return carom_facets_project(f, s, n, f->side[s].face[n].support, point) || carom_facets_points_of_level(f, point);
}

#endif
