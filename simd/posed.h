/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Shapes as kernels and the rest of the library see them (carom/shapes.h says what the members of a caller's shape
 * mean), and where a shape is.
 *
 * A shape is a core and a radius: all points within `radius` of the core. The core of a sphere is a point, that of a
 * capsule a segment, that of an ellipsoid the centres of all balls of that radius inside it (carom_shape_rolling_ball);
 * all others are their own core, with radius 0, and so are the smallest ellipsoids. The signed distance of two shapes
 * is that of their cores less both radii, so searches only see cores. */
#ifndef CAROM_SIMD_POSED_H
#define CAROM_SIMD_POSED_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/shapes.h"

/* Vertices of a hull are padded to a multiple of this by repeating vertex 0. */
enum { CAROM_HULL_PAD = 16 };

/* A face of a hull: a convex polygon. Of a flat hull there are two, with opposite normals. */
typedef struct carom_hull_face {
    double normal[3]; /* outward, of length 1 to rounding */
    double offset;    /* normal . vertex, of the face's vertex that makes it greatest */
    uint32_t first;   /* its vertices are corner[first .. first + count), counterclockwise seen from outside */
    uint32_t count;   /* 3 or more */
} carom_hull_face;

/* An edge of a hull: two vertices and the two faces beside it. A hull that is a segment has one edge and no face. */
typedef struct carom_hull_edge {
    uint32_t vertex[2];
    uint32_t face[2];
} carom_hull_edge;

/* Hulls with at most this many edges have axes. Of their faces, and of their vertices, there are at most two for every
 * three edges. Axes are padded to a multiple of CAROM_HULL_AXES_PAD by repeating the first one. */
enum { CAROM_HULL_AXES_EDGES = 72, CAROM_HULL_AXES_FACES = 48, CAROM_HULL_AXES_VERTICES = 48, CAROM_HULL_AXES_PAD = 8 };

/* A convex hull, exactly that of its points. */
typedef struct carom_hull {
    uint32_t vertex_count; /* 1 or more; all are corners of the hull, none is repeated */
    uint32_t padded;       /* vertex_count rounded up to CAROM_HULL_PAD */
    uint32_t face_count;
    uint32_t edge_count;
    uint32_t corner_count;
    uint32_t dimensions;     /* 0 a point, 1 a segment, 2 flat, 3 */
    const double *vertex[3]; /* x, y and z of each vertex: `padded` values, aligned to 64 bytes */
    const float *rounded;    /* the same in floats: simd/rounded.h */
    float reach;             /* no vertex is farther from the origin of its frame */
    bool holds_origin;       /* for certain */
    const carom_hull_face *face;
    const carom_hull_edge *edge;
    const uint32_t *corner; /* vertices of the faces */
    /* For separating axes (simd/facets_pair.h), in columns; NULL: the hull has none (kernel/shape/hull_axes.h). */
    const double *axis[3]; /* outward unit normals of the faces, as exact as doubles are */
    const double *offset;  /* the greatest axis . vertex of each */
    const double *way[3];  /* unit vectors along the edges, from vertex 0 to vertex 1 */
} carom_hull;

typedef struct carom_shape_entry {
    carom_shape_kind kind;
    uint32_t dimensions; /* of the shape, not of its core: a sphere of radius 0 has 0 */
    double radius;       /* around the core, >= 0 */
    double extent[3];    /* of the core: capsule {0, 0, h}; box; cylinder and cone {r, r, h}; of an ellipsoid, the
                            shape's semi-axes; else 0 */
    double core_reach;   /* no point of the core is farther from the origin; rounded up */
    double reach;        /* the same of the shape */
    double lo[3];        /* the shape lies in this box, unrotated; rounded outward */
    double hi[3];
    const carom_hull *hull;         /* kind HULL only */
    const carom_shape_child *child; /* kind COMPOUND only */
    uint32_t child_count;
    const struct carom_shape_entry *table; /* kind COMPOUND only: entry 0 of the table, by whose numbers children name
                                              their shapes */
    const struct carom_balls *balls;       /* kind COMPOUND with many children only; else NULL */
} carom_shape_entry;

/* The squares of the lengths that quaternions may have. */
#define CAROM_TURN_SQUARE_LEAST 0.25
#define CAROM_TURN_SQUARE_MOST 4.0

/* What a box of a posed shape is grown by on each side, over its reach and the size of its position. A rotation's entry
 * is off by 2^-50, the three products and sums of an extent by less than 2^-51 of the reach, the sum with the position
 * by 2^-53 of both. */
#define CAROM_POSE_BOX_ERROR 0x1p-47

/* The greatest component of a difference of positions that tests of pairs take. */
#define CAROM_NEAR_MOST 0x1p240

/* Where a shape is: its entry, its place and its rotation. */
typedef struct carom_posed {
    const carom_shape_entry *shape;
    double at[3];      /* position of its origin */
    double turn[3][3]; /* its rotation, row by row: a point s of the shape is at `at` + turn s */
} carom_posed;

/* turn = I + 2 (w [v] + [v]^2) / (q.q) for q = (v, w), of length 0.5 to 2. Each entry is within 2^-50 of the exact
 * rotation's. */
static inline void carom_pose_turn(const double q[4], double turn[3][3]) {
    const double scale = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double x = scale * q[0];
    const double y = scale * q[1];
    const double z = scale * q[2];
    turn[0][0] = 1.0 - (y * q[1] + z * q[2]);
    turn[1][1] = 1.0 - (x * q[0] + z * q[2]);
    turn[2][2] = 1.0 - (x * q[0] + y * q[1]);
    turn[0][1] = x * q[1] - z * q[3];
    turn[1][0] = x * q[1] + z * q[3];
    turn[0][2] = x * q[2] + y * q[3];
    turn[2][0] = x * q[2] - y * q[3];
    turn[1][2] = y * q[2] - x * q[3];
    turn[2][1] = y * q[2] + x * q[3];
}

/* local = turn^T v: a direction in the shape's frame. */
static inline void carom_pose_to_local(const double turn[3][3], const double v[3], double local[3]) {
    for (int d = 0; d < 3; d++) {
        local[d] = turn[0][d] * v[0] + turn[1][d] * v[1] + turn[2][d] * v[2];
    }
}

/* v = turn local. */
static inline void carom_pose_from_local(const double turn[3][3], const double local[3], double v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = turn[d][0] * local[0] + turn[d][1] * local[1] + turn[d][2] * local[2];
    }
}

#endif
