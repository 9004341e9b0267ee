/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A table of shapes. Bodies name its entries by number (carom_bodies_f32.shape), so that many bodies share one shape.
 * A table is immutable: any number of calls, threads and contexts may read it at once. It serves floats and doubles.
 *
 *     carom_shape shape[2] = {{.kind = CAROM_SHAPE_BOX, .extent = {1, 2, 3}},
 *                             {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.5, .extent = {0, 0, 2}}};
 *     carom_shapes *shapes;
 *     carom_shapes_create(shape, 2, NULL, &shapes, &error);
 *
 * Lengths are doubles in the unit of the bodies. A shape lies in its own frame; a body at position c with the
 * quaternion q = (x, y, z, w) has its point s at c + R s, with the rotation
 *
 *     R = I + 2 (w [v] + [v]^2) / (q.q),   v = (x, y, z),   [v] s = v x s
 *
 * This is a rational function, so each input has one exact pose; q need not have length 1. The frame's origin is the
 * body's position and the centre of its rotation: for a rigid body, its centre of mass.
 *
 * Sizes are 0 or from 1e-50 to 1e50. A size of 0 is allowed where a point, a segment or a flat shape is meant: a sphere
 * of radius 0 is a point, a capsule of radius 0 a segment, a hull of three points a triangle. Brackets of the smallest
 * cylinders, cones and ellipsoids are not proved (carom/distance.h). */
#ifndef CAROM_SHAPES_H
#define CAROM_SHAPES_H

#include <stdint.h>

#include "carom/context.h"
#include "carom/export.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_shape_kind {
    /* A ball of `radius` about the origin. */
    CAROM_SHAPE_SPHERE,

    /* All points within `radius` of the segment from (0, 0, -extent[2]) to (0, 0, extent[2]). */
    CAROM_SHAPE_CAPSULE,

    /* All points with |x| <= extent[0], |y| <= extent[1] and |z| <= extent[2]. */
    CAROM_SHAPE_BOX,

    /* A cylinder about the z axis, of `radius`, from z = -extent[2] to z = extent[2]. */
    CAROM_SHAPE_CYLINDER,

    /* A cone about the z axis: its base has `radius` and lies at z = -extent[2], its apex at z = extent[2]. */
    CAROM_SHAPE_CONE,

    /* An ellipsoid with the semi-axes `extent`. */
    CAROM_SHAPE_ELLIPSOID,

    /* The convex hull of points. */
    CAROM_SHAPE_HULL,

    /* All points with z <= 0: a body's position is a point of the plane, and its local z axis the outward normal. It
     * goes with every convex shape, with compounds, lines and half-spaces. Its box is infinite, so it cannot be in a
     * detection. */
    CAROM_SHAPE_HALF_SPACE,

    /* The z axis, an infinite line. It goes with spheres, capsules, compounds of these, half-spaces and lines. Not in
     * a detection. */
    CAROM_SHAPE_LINE,

    /* Several convex shapes that move as one body. Two compounds are compared child by child, but for those children that
     * spheres around groups of them rule out. A distance takes some 0.3 us for each child, a time of impact twice that,
     * beside what the pairs of children take whose bounding spheres are nearer than the nearest children, or touch
     * before these do. Only compounds whose children are nearly all in the same place, or that are farther apart than
     * 10^12 of their sizes, take all pairs of children: 30 ns each, a time of impact 300 ns. */
    CAROM_SHAPE_COMPOUND
} carom_shape_kind;

/* One shape within a compound. */
typedef struct carom_shape_child {
    /* An entry of the same table before the compound: a convex shape, no half-space, line or compound. */
    uint32_t shape;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* Position of its origin in the compound's frame. */
    double at[3];

    /* Its rotation in the compound's frame: a quaternion x, y, z, w of length 0.5 to 2. {0, 0, 0, 1} is not
     * rotated; all 0, which a carom_pose takes for that, is an error here. */
    double turn[4];
} carom_shape_child;

/* A shape to make a table of. Members that its kind does not name are not used. */
typedef struct carom_shape {
    carom_shape_kind kind;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* Sphere, capsule, cylinder, cone. */
    double radius;

    /* Capsule: extent[2]. Box, ellipsoid: all three. Cylinder, cone: extent[2]. */
    double extent[3];

    /* Hull: x, y and z of each point, 1 to CAROM_HULL_POINTS_MAX of them, in any order. Points inside the hull and
     * repeated ones are left out. Points on one line or in one plane make a segment or a polygon. */
    const double (*point)[3];
    uint64_t point_count;

    /* Compound: 1 to CAROM_COMPOUND_CHILDREN_MAX shapes. */
    const carom_shape_child *child;
    uint64_t child_count;
} carom_shape;

/* The most points of a hull. */
enum { CAROM_HULL_POINTS_MAX = 256 };

/* The most shapes of a compound. */
enum { CAROM_COMPOUND_CHILDREN_MAX = 65535 };

/* The most entries of a table. */
#define CAROM_SHAPES_MAX UINT64_C(0xFFFFFFFE)

typedef struct carom_shapes carom_shapes;

/* What a table knows of one entry. */
typedef struct carom_shape_facts {
    carom_shape_kind kind;

    /* Hull: corners, faces and edges of the hull; of a flat one, faces is 2. 0 otherwise. */
    uint32_t vertices;
    uint32_t faces;
    uint32_t edges;

    /* Compound: how many children. 0 otherwise. */
    uint32_t children;

    /* 0 to 3: whether it is a point, a segment, flat, or has a volume. Of a compound the most that a child has. */
    uint32_t dimensions;

    /* No point of the shape is farther from its origin. Infinite for a half-space and a line. */
    double reach;

    /* Its box, unrotated. */
    double lo[3];
    double hi[3];
} carom_shape_facts;

/* Makes a table of `count` shapes, which it copies. On error *shapes is NULL.
 *
 *   shape       count shapes
 *   allocator   where the table's memory comes from; NULL: the C library
 *   shapes      receives the table, which carom_shapes_destroy releases
 *   error       receives the details of a failure; may be NULL. error.body is the number of the shape, error.field the
 *               member that is wrong
 *
 * Errors:
 *   ARGUMENT   shapes is NULL, shape is NULL although count > 0, count is too large, or the allocator has one function
 *              of two
 *   BODY       kind is none of the enum, or a word that must be 0 is not; a radius or extent is NaN, infinite or
 *              negative, or neither 0 nor from 1e-50 to 1e50; the size of a coordinate, of either sign, is none of
 *              these; an ellipsoid has a semi-axis of 0; a hull has no points, too many, or points that are NULL;
 *              a compound has no children, too many, or children that are NULL; a child is not an earlier convex
 *              shape, or its quaternion is not of length 0.5 to 2
 *   MEMORY     there is no memory for the table
 *
 * Names in error.field are those of members: "kind", "reserved", "radius", "extent_x" to "extent_z", "point",
 * "point_count", "child", "child_count" and the like.
 *
 * Hulls are built in exact arithmetic: their faces and edges are those of the exact hull of the points, in whatever order
 * these are. The order decides the numbers of vertices, and with them the last bits of normals and which of equally good
 * points an answer has. That takes some n^2 steps, at worst n^3. */
CAROM_API carom_status carom_shapes_create(const carom_shape *shape, uint64_t count, const carom_allocator *allocator,
                                           carom_shapes **shapes, carom_error *error);

/* Releases a table. No call may be using it, and no context keeps it beyond a call.
 *
 *   shapes   the table; NULL is allowed */
CAROM_API void carom_shapes_destroy(carom_shapes *shapes);

/* Returns the number of entries; 0 if shapes is NULL. */
CAROM_API uint64_t carom_shapes_count(const carom_shapes *shapes);

/* Tells what the table knows of entry `index`.
 *
 * Errors:
 *   ARGUMENT   shapes or facts is NULL, or there is no such entry */
CAROM_API carom_status carom_shapes_facts(const carom_shapes *shapes, uint64_t index, carom_shape_facts *facts,
                                          carom_error *error);

#ifdef __cplusplus
}
#endif

#endif
