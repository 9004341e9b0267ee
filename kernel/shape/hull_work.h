/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the steps of building one convex hull share. */
#ifndef CAROM_SHAPE_HULL_WORK_H
#define CAROM_SHAPE_HULL_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/posed.h"

enum {
    CAROM_HULL_TRIANGLES_MAX = 2 * CAROM_HULL_POINTS_MAX,
    CAROM_HULL_EDGES_MAX = 3 * CAROM_HULL_POINTS_MAX,
    CAROM_HULL_NONE = 0xFFFF
};

/* A triangle of the hull's surface, counterclockwise seen from outside. */
typedef struct carom_hull_triangle {
    uint16_t point[3];
    uint16_t face; /* the number of a triangle in its face: of those in one plane, all have the same */
    bool used;
    bool seen; /* by the point that is being added */
} carom_hull_triangle;

/* Work space of one hull. Points are numbered as they are kept: without repeated ones. */
typedef struct carom_hull_work {
    uint32_t count;      /* points */
    uint32_t dimensions; /* of their hull, 0 to 3 */
    double point[CAROM_HULL_POINTS_MAX][3];
    uint32_t triangle_count;
    carom_hull_triangle triangle[CAROM_HULL_TRIANGLES_MAX];
    uint16_t beside[CAROM_HULL_POINTS_MAX][CAROM_HULL_POINTS_MAX]; /* the triangle with the edge from one point to
                                                                     another, or NONE */
    /* What comes out. Vertices keep the points' order; a face begins with its lowest vertex; faces are in the order of
     * their corners, edges in that of their vertices. */
    uint32_t vertex_count;
    uint32_t face_count;
    uint32_t edge_count;
    uint32_t corner_count;
    uint16_t number[CAROM_HULL_POINTS_MAX]; /* of each point as a vertex, or NONE */
    double vertex[CAROM_HULL_POINTS_MAX][3];
    uint32_t corner[2 * CAROM_HULL_EDGES_MAX];
    carom_hull_face face[CAROM_HULL_TRIANGLES_MAX];
    carom_hull_edge edge[CAROM_HULL_EDGES_MAX];
} carom_hull_work;

#endif
