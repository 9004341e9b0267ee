/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A simplex and a new point, in scalar form: in, up to three points of a Minkowski difference and one more; out, the
 * point of their hull that is closest to the origin.
 *
 * The new point was found because it lies farther towards the origin than the others, so the closest point has a part
 * of it: candidates are the point, its edges to the others, and the faces with two others onto whose inside the origin
 * projects. The closest candidate wins, the first of several. Each is a weighted sum with weights that are not
 * negative, so whatever is chosen lies in the hull: rounding can make the answer worse, but never false.
 *
 * Near touch the closest point is a small difference of large numbers, and its direction is inexact. What of that error
 * lies along the part would spoil the bound that the direction proves. So the direction of a face is that of its
 * normal, which depends on the points' differences only, and that of an edge is made orthogonal to the edge again. */
#ifndef CAROM_SIMD_REF_SIMPLEX_H
#define CAROM_SIMD_REF_SIMPLEX_H

#include <math.h>

#include "simd/compare.h"
#include "simd/convex.h"
#include "simd/vector.h"

/* The new point p, edges to the others, and the products that several parts share. */
typedef struct carom_simplex_edges {
    const double *p;
    double edge[3][3];
    double around[3][3]; /* edge n cross p */
    bool used[3];        /* whether there is such an edge */
} carom_simplex_edges;

/* A part of the simplex. The new point has what is missing of the weights' sum of 1. */
typedef struct carom_simplex_part {
    double square; /* of its distance from the origin */
    double weight[3];
    double direction[3]; /* from the origin to it, of any length */
} carom_simplex_part;

static inline void carom_simplex_try_edge(const carom_simplex_edges *edges, int n, carom_simplex_part *best) {
    const double *e = edges->edge[n];
    const double scale = 1.0 / carom_vector_dot(e, e);
    double t = -carom_vector_dot(edges->p, e) * scale; /* NaN without length: then the point itself is as close */
    t = t > 0.0 ? t : 0.0;
    t = t < 1.0 ? t : 1.0;
    double at[3];
    carom_vector_add(edges->p, t, e, at);
    const double square = carom_vector_dot(at, at);
    if (square < best->square) {
        *best = (carom_simplex_part){.square = square};
        best->weight[n] = t;
        carom_vector_add(at, -(carom_vector_dot(at, e) * scale), e, best->direction);
    }
}

/* The face of edges n and m. Returns the height of its plane over the origin, in units of the normal's length. */
static inline double carom_simplex_try_face(const carom_simplex_edges *edges, int n, int m, carom_simplex_part *best) {
    double normal[3];
    carom_vector_cross(edges->edge[n], edges->edge[m], normal);
    const double square = carom_vector_dot(normal, normal);
    const double part_n = carom_vector_dot(normal, edges->around[m]);
    const double part_m = -carom_vector_dot(normal, edges->around[n]);
    const double height = carom_vector_dot(normal, edges->p);
    const double scale = 1.0 / square;
    const double distance = height * height * scale;
    const bool inside = part_n >= 0.0 && part_m >= 0.0 && part_n + part_m <= square && square > 0.0;
    if (inside && edges->used[n] && edges->used[m] && distance < best->square) {
        *best = (carom_simplex_part){.square = distance};
        best->weight[n] = part_n * scale;
        best->weight[m] = part_m * scale;
        for (int d = 0; d < 3; d++) {
            best->direction[d] = height < 0.0 ? -normal[d] : normal[d];
        }
    }
    return height;
}

/* Whether the origin lies inside the tetrahedron of all four points, by the signs of four volumes. height[n] is that of
 * the face without point n. */
static inline bool carom_simplex_holds_origin(const carom_simplex_edges *edges, const double height[3]) {
    double cross[3];
    carom_vector_cross(edges->edge[0], edges->edge[1], cross);
    const double volume = carom_vector_dot(edges->edge[2], cross);
    const double rest = volume + (height[0] + height[1] + height[2]);
    return edges->used[0] && edges->used[1] && edges->used[2] &&
           ((height[0] < 0.0 && height[1] < 0.0 && height[2] < 0.0 && rest > 0.0) ||
            (height[0] > 0.0 && height[1] > 0.0 && height[2] > 0.0 && rest < 0.0));
}

static inline carom_simplex_edges carom_simplex_edges_of(const carom_simplex *simplex) {
    carom_simplex_edges edges = {.p = simplex->point[3].w};
    for (int n = 0; n < 3; n++) {
        edges.used[n] = simplex->weight[n] > 0.0;
        for (int d = 0; d < 3; d++) {
            edges.edge[n][d] = simplex->point[n].w[d] - edges.p[d];
        }
        carom_vector_cross(edges.edge[n], edges.p, edges.around[n]);
    }
    return edges;
}

/* Finds the closest part of the simplex with entry 3, its new point. True, and *closest has no meaning, if all four
 * points lie around the origin. */
static inline bool carom_simplex_find(const carom_simplex *simplex, carom_simplex_part *closest) {
    const carom_simplex_edges edges = carom_simplex_edges_of(simplex);
    *closest = (carom_simplex_part){.square = carom_vector_dot(edges.p, edges.p),
                                    .direction = {edges.p[0], edges.p[1], edges.p[2]}};
    for (int n = 0; n < 3; n++) {
        if (edges.used[n]) {
            carom_simplex_try_edge(&edges, n, closest);
        }
    }
    double height[3];
    height[2] = carom_simplex_try_face(&edges, 0, 1, closest);
    height[0] = carom_simplex_try_face(&edges, 1, 2, closest);
    height[1] = carom_simplex_try_face(&edges, 2, 0, closest);
    return carom_simplex_holds_origin(&edges, height);
}

/* How far the face a, b, c is from the origin: the least of its corners along its normal, which bounds it from below
 * however inexact the normal is. The normal points to `side` (1 or -1) times b - a cross c - a; not positive if a
 * corner lies behind it, or the face has no area. */
static inline double carom_simplex_face_distance(const double a[3], const double b[3], const double c[3], double side) {
    const double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double f[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    double normal[3];
    carom_vector_cross(e, f, normal);
    const double square = carom_vector_dot(normal, normal);
    const double to_a = side * carom_vector_dot(normal, a);
    const double to_b = side * carom_vector_dot(normal, b);
    const double to_c = side * carom_vector_dot(normal, c);
    const double least = carom_lesser(carom_lesser(to_a, to_b), to_c);
    return square > CAROM_TRIANGLE_AREA ? least / sqrt(square) : 0.0;
}

/* The radius of a ball about the origin within a tetrahedron that holds it. If the distances of all four faces are
 * positive, with normals that all point outward, the surface winds around the origin (simd/polytope.h); if not, nothing
 * is proved, and the radius is not positive. */
static inline double carom_simplex_ball(const carom_simplex *simplex) {
    const double *p = simplex->point[3].w;
    const double *a = simplex->point[0].w;
    const double *b = simplex->point[1].w;
    const double *c = simplex->point[2].w;
    double e[3];
    double f[3];
    double normal[3];
    for (int d = 0; d < 3; d++) {
        e[d] = a[d] - p[d];
        f[d] = b[d] - p[d];
    }
    carom_vector_cross(e, f, normal);
    const double side = carom_vector_dot(normal, p) < 0.0 ? -1.0 : 1.0;
    const double beside_p = carom_lesser(
        carom_lesser(carom_simplex_face_distance(p, a, b, side), carom_simplex_face_distance(p, b, c, side)),
        carom_simplex_face_distance(p, c, a, side));
    return carom_lesser(beside_p, carom_simplex_face_distance(a, c, b, side));
}

/* The new point's weight. */
static inline double carom_simplex_rest(const double weight[3]) {
    const double rest = 1.0 - weight[0] - weight[1] - weight[2];
    return rest > 0.0 ? rest : 0.0;
}

/* The weighted sum of the points. */
static inline void carom_simplex_sum(const carom_simplex *simplex, const double weight[3], double sum[3]) {
    const double rest = carom_simplex_rest(weight);
    for (int d = 0; d < 3; d++) {
        sum[d] = weight[0] * simplex->point[0].w[d] + weight[1] * simplex->point[1].w[d] +
                 weight[2] * simplex->point[2].w[d] + rest * simplex->point[3].w[d];
    }
}

/* Makes the part the simplex: the new point moves to the first entry without weight. */
static inline void carom_simplex_keep(carom_simplex *simplex, const carom_simplex_part *part, const double sum[3]) {
    const double rest = carom_simplex_rest(part->weight);
    int free = 0;
    while (free < 2 && part->weight[free] > 0.0) {
        free++;
    }
    for (int n = 0; n < 3; n++) {
        simplex->weight[n] = part->weight[n];
        simplex->closest[n] = sum[n];
        simplex->direction[n] = part->direction[n];
    }
    if (rest > 0.0) {
        simplex->point[free] = simplex->point[3];
        simplex->weight[free] = rest;
    }
}

/* The points of both cores that make `closest`. */
static inline void carom_simplex_witness(const carom_simplex *simplex, double a[3], double b[3]) {
    for (int d = 0; d < 3; d++) {
        a[d] = simplex->weight[0] * simplex->point[0].a[d] + simplex->weight[1] * simplex->point[1].a[d] +
               simplex->weight[2] * simplex->point[2].a[d];
        b[d] = a[d] - simplex->closest[d];
    }
}

#endif
