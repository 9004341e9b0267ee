/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The depth of two hulls by separating axes, over the Gauss map (Gottschalk, Lin and Manocha 1996; Gregorius 2013):
 * what the kernel and its twin share.
 *
 * The difference of two hulls is a polytope, and its depth about the origin is the least distance of its facets. A
 * facet is a face of one hull at a vertex of the other, or two edges whose arcs on the Gauss map cross: the arc of an
 * edge leads from the normal of one of its faces to that of the other, and k's map is mirrored at the origin. All
 * faces are looked at, and those edges whose facets may be nearer than the nearest face. So no polytope has to grow,
 * which takes longer unless hulls have very many edges.
 *
 * All is in the frame of i. Normals point out of their hull. The height of a facet is its distance from the origin: how
 * far one hull has to move along the normal until it touches the other there.
 *
 * Which edges count. An edge of hull s lies between faces 0 and 1, with normals n0 and n1 and heights h0 and h1, at
 * which the other hull has the vertices b0 and b1. Points of the difference bound it from inside: with the edge's
 * vertex p, each n of the arc has a height of at least n.(p - b0) and n.(p - b1). Where these are positive they are
 * concave along an arc shorter than half a circle. So for any m of the arc the first is least at n0 or m on the way
 * from n0 to m, and the second at m or n1 on the way from there: no height is less than h0, h1 and both values at m. We
 * take m along alpha n0 + beta n1 with alpha = n1.(b0 - b1) and beta = -n0.(b0 - b1), neither of which is negative.
 * There both values are equal, (alpha h0 + beta (h1 - alpha)) / |alpha n0 + beta n1|, and an edge does not count if
 * that is above the nearest face by more than all rounding. It does not count either where one vertex
 * makes both heights but for rounding, as b0 or b1 does where alpha or beta is 0: then the bound is that of the faces.
 * So about one edge of each hull counts, and none where faces lie on each other.
 *
 * Arcs that cross only by rounding may add facets that are none, some with the wrong sign. They make the bracket wider,
 * not wrong; if it is too wide then, or if points do not lie opposite each other, the pair is for a polytope.
 *
 * Rounding, in units of u = 2^-53, and of the size S of a carom_difference. Entries of a rotation are off by 8 u, so a
 * rotated vector by 24 u of its length. The product of both rotations is off by 48 u and 10 u of its own, and a vector
 * that it rotates by 58 u and 6 u: 64 u. The way between the origins is off by 32 u of itself. Normals and directions
 * of edges are within 5 u of the exact ones (kernel/shape/hull_axes.h).
 *   - The height of a face is off by 64 u S from what is rotated, by 5 u S from the normal, and by 8 u S from products;
 *     that of an edge whose faces share a vertex by CAROM_FACETS_EVEN S = 128 u S more.
 *   - alpha and beta are off by less than 256 u S, so m is another one of the arc, at which both values differ by that
 *     times (alpha + beta) / |alpha n0 + beta n1|. Heights enter with the same factor. Edges for which it is not below
 *     2^8 count (CAROM_FACETS_BENT is 2^-8 squared), so all is below 2^-36 S, and below CAROM_FACETS_SLACK S.
 *   - The cross product of the directions of edges is off by 80 u; so over its length, which is the sine of their
 *     angle, is the normal. Its height is off by 80 u S over the sine, 64 u S and 8 u S.
 *   - Edges whose sine is less than 2^-45 are parallel. From where their arcs cross we follow that of i, both ways,
 *     until one of the arcs ends: there the height is that of a face, but for twice the angle times S, and in between
 *     it is concave, as above. An angle is off by 80 u.
 * CAROM_FACETS_ERROR = 2^-45 = 256 u bounds what heights are off by, CAROM_FACETS_PARALLEL the slack of parallel edges.
 */
#ifndef CAROM_SIMD_FACETS_PAIR_H
#define CAROM_SIMD_FACETS_PAIR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "simd/compare.h"
#include "simd/convex.h"
#include "simd/ref/difference.h"
#include "simd/vector.h"

/* Pairs of edges that are compared at most: of hulls in general position about one is. */
enum { CAROM_FACETS_PAIRS = 64 };

/* In units of S: what heights are off by, over the sine where they are of two edges; and what the height of parallel
 * edges may be below that of a face. */
#define CAROM_FACETS_ERROR 0x1p-45
#define CAROM_FACETS_PARALLEL 0x1p-43

/* Squares of sines of edges that are parallel. */
#define CAROM_FACETS_SQUARE 0x1p-90

/* Products of normals and directions of edges that may have any sign. */
#define CAROM_FACETS_DOUBT 0x1p-45

/* Which edges count: see above. */
#define CAROM_FACETS_SLACK 0x1p-16
#define CAROM_FACETS_BENT 0x1p-16
#define CAROM_FACETS_EVEN 0x1p-46

/* A face, in the frame of i. */
typedef struct carom_facets_face {
    double normal[3]; /* outward */
    double height;
    double support[3]; /* the first vertex of the other hull where the face has its height */
    double none;       /* so that a face is eight doubles */
} carom_facets_face;

/* Points of an answer may lie so far beside where they are opposite each other, in units of S, and opposite normals
 * differ by so much. */
#define CAROM_FACETS_ASIDE 0x1p-36

/* Heights that differ by less, in units of S, are those of one plane. */
#define CAROM_FACETS_LEVEL 0x1p-44

/* One of the hulls, in the frame of i. */
typedef struct carom_facets_hull {
    _Alignas(64) carom_facets_face face[CAROM_HULL_AXES_FACES];
    const carom_hull *hull;
    const double *vertex[3]; /* columns */
    double between[3];       /* its origin */
    double turn[3][3];       /* its rotation; of i, the identity */
    uint32_t edges;          /* those that count: their numbers, in ascending order */
    uint8_t edge[CAROM_HULL_AXES_EDGES];
} carom_facets_hull;

/* The facet with the least height. */
typedef struct carom_facets_nearest {
    double height;
    double normal[3];    /* out of i */
    uint32_t side;       /* 0 or 1: a face of i or k; 2: an edge of each */
    uint32_t feature[2]; /* the face; or the edges of i and k */
} carom_facets_nearest;

typedef struct carom_facets {
    carom_facets_hull side[2];
    double moved[3][CAROM_HULL_AXES_VERTICES]; /* vertices of k */
    carom_difference difference;
    carom_facets_nearest nearest;
    double least; /* no facet is nearer, but for rounding that is the same for all */
    bool parallel;
} carom_facets;

/* Whether the depth of two cores may be found so. */
static inline bool carom_facets_have(const carom_shape_entry *i, const carom_shape_entry *k) {
    return i->kind == CAROM_SHAPE_HULL && k->kind == CAROM_SHAPE_HULL && i->hull->axis[0] != NULL &&
           k->hull->axis[0] != NULL;
}

static inline void carom_facets_column(const double *const column[3], uint32_t n, double v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = column[d][n];
    }
}

/* Where both hulls are. */
static inline void carom_facets_place(const carom_posed *i, const carom_posed *k, carom_facets *f) {
    const double way[3] = {k->at[0] - i->at[0], k->at[1] - i->at[1], k->at[2] - i->at[2]};
    carom_facets_hull *to = f->side;
    f->difference = carom_difference_make(i, k);
    to[0].hull = i->shape->hull;
    to[1].hull = k->shape->hull;
    carom_pose_to_local(i->turn, way, to[1].between);
    for (int d = 0; d < 3; d++) {
        const double column[3] = {i->turn[0][d], i->turn[1][d], i->turn[2][d]};
        to[0].between[d] = 0.0;
        to[0].vertex[d] = i->shape->hull->vertex[d];
        to[1].vertex[d] = f->moved[d];
        carom_pose_to_local(k->turn, column, to[1].turn[d]);
        for (int e = 0; e < 3; e++) {
            to[0].turn[d][e] = d == e ? 1.0 : 0.0;
        }
    }
}

/* Begins with the nearer of the nearest faces of both hulls. */
static inline void carom_facets_take_face(carom_facets *f, uint32_t of_i, uint32_t of_k) {
    const uint32_t s = f->side[1].face[of_k].height < f->side[0].face[of_i].height ? 1 : 0;
    const uint32_t n = s == 0 ? of_i : of_k;
    const carom_facets_face *face = &f->side[s].face[n];
    f->nearest = (carom_facets_nearest){.height = face->height, .side = s, .feature = {n, 0}};
    for (int d = 0; d < 3; d++) {
        f->nearest.normal[d] = s == 0 ? face->normal[d] : -face->normal[d];
    }
    f->least = face->height;
    f->parallel = false;
}

/* Up to this height facets of edges count. */
static inline double carom_facets_limit(const carom_facets *f) {
    return f->nearest.height + CAROM_FACETS_SLACK * f->difference.size;
}

/* Whether facets of an edge between two faces may be nearer than all faces: `limit` is carom_facets_limit. Steps leave
 * out those, too, whose faces share a vertex that is neither's `support`. */
static inline bool carom_facets_counts(const carom_facets_face *a, const carom_facets_face *b, double limit,
                                       double size) {
    double between[3];
    for (int d = 0; d < 3; d++) {
        between[d] = a->support[d] - b->support[d];
    }
    const double alpha = carom_vector_dot(b->normal, between);
    const double beta = -carom_vector_dot(a->normal, between);
    const double sum = alpha + beta;
    const double both = alpha * beta;
    const double square = alpha * alpha + beta * beta + (both + both) * carom_vector_dot(a->normal, b->normal);
    const double value = alpha * a->height + beta * (b->height - alpha);
    const bool is_above = value > 0.0 && value * value > limit * limit * square;
    const bool is_certain = square > CAROM_FACETS_BENT * (sum * sum);
    const bool is_even = carom_lesser(alpha, beta) <= CAROM_FACETS_EVEN * size;
    return !((is_above && is_certain) || is_even);
}

/* Unit vector along an edge. */
static inline void carom_facets_way(const carom_facets_hull *side, uint32_t n, double way[3]) {
    double local[3];
    carom_facets_column(side->hull->way, n, local);
    carom_pose_from_local(side->turn, local, way);
}

/* Whether the arcs of an edge of i and one of k cross on the Gauss map, or may do so but for rounding. *turned says
 * whether the normal where they do is along way_i x way_k, or against it. */
static inline bool carom_facets_cross(const carom_facets *f, const uint32_t edge[2], double way[2][3], bool *turned) {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    double sum = 0.0;
    for (uint32_t s = 0; s < 2; s++) {
        const uint32_t *face = f->side[s].hull->edge[edge[s]].face;
        const double one = carom_vector_dot(f->side[s].face[face[0]].normal, way[1 - s]);
        const double other = -carom_vector_dot(f->side[s].face[face[1]].normal, way[1 - s]);
        least = carom_lesser(least, carom_lesser(one, other));
        most = carom_greater(most, carom_greater(one, other));
        sum += one + other;
    }
    *turned = sum < 0.0;
    return least > -CAROM_FACETS_DOUBT || most < CAROM_FACETS_DOUBT;
}

/* The facet of two edges, if they have one. */
static inline void carom_facets_try(carom_facets *f, const uint32_t edge[2]) {
    double way[2][3];
    double normal[3];
    double between[3];
    bool turned;
    carom_facets_way(&f->side[0], edge[0], way[0]);
    carom_facets_way(&f->side[1], edge[1], way[1]);
    if (!carom_facets_cross(f, edge, way, &turned)) {
        return;
    }
    carom_vector_cross(way[0], way[1], normal);
    const double square = carom_vector_dot(normal, normal);
    if (square < CAROM_FACETS_SQUARE) {
        f->parallel = true;
        return;
    }
    const uint32_t p = f->side[0].hull->edge[edge[0]].vertex[0];
    const uint32_t q = f->side[1].hull->edge[edge[1]].vertex[0];
    const double scale = (turned ? -1.0 : 1.0) / sqrt(square);
    for (int d = 0; d < 3; d++) {
        normal[d] *= scale;
        between[d] = f->side[0].vertex[d][p] - f->side[1].vertex[d][q];
    }
    const double height = carom_vector_dot(normal, between);
    f->least = carom_lesser(height - CAROM_FACETS_ERROR * f->difference.size * fabs(scale), f->least);
    if (height < f->nearest.height - CAROM_FACETS_LEVEL * f->difference.size) {
        f->nearest = (carom_facets_nearest){.height = height, .side = 2, .feature = {edge[0], edge[1]}};
        for (int d = 0; d < 3; d++) {
            f->nearest.normal[d] = normal[d];
        }
    }
}

/* Tries all edges that count; false if these are too many. */
static inline bool carom_facets_try_edges(carom_facets *f) {
    if (f->side[0].edges * f->side[1].edges > CAROM_FACETS_PAIRS) {
        return false;
    }
    for (uint32_t n = 0; n < f->side[0].edges; n++) {
        for (uint32_t m = 0; m < f->side[1].edges; m++) {
            carom_facets_try(f, (const uint32_t[2]){f->side[0].edge[n], f->side[1].edge[m]});
        }
    }
    return true;
}

#endif
