/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A closed surface of triangles between points of a difference, which grows from a tetrahedron until it meets the
 * difference's boundary where that is closest to the origin. */
#ifndef CAROM_NARROW_POLYTOPE_H
#define CAROM_NARROW_POLYTOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/narrow/difference.h"

enum {
    CAROM_POLYTOPE_POINTS = 100,
    CAROM_POLYTOPE_FACES = 2 * CAROM_POLYTOPE_POINTS - 4, /* of a closed surface of triangles, by Euler's formula */
    CAROM_POLYTOPE_NONE = 255
};

/* A triangle, counterclockwise seen from outside. Numbers of points and faces fit into a byte. */
typedef struct carom_polytope_face {
    double normal[3]; /* outward, of length 1 to rounding */
    double distance;  /* the least normal . w of its points: no point of the face is closer to the origin */
    uint8_t point[3];
    uint8_t neighbour[3]; /* the face across the edge from point e to point e + 1; NONE in an unused entry */
} carom_polytope_face;

typedef struct carom_polytope {
    uint32_t point_count;
    uint32_t face_count; /* entries in use or free */
    uint8_t free;        /* first of the free entries, which are linked by neighbour[0]; NONE: none */
    double flat;         /* heights of less are rounding */
    carom_difference_point point[CAROM_POLYTOPE_POINTS];
    carom_polytope_face face[CAROM_POLYTOPE_FACES];
} carom_polytope;

/* Begins with the tetrahedron of the first four points, which are set. False if it has no volume. */
bool carom_polytope_begin(carom_polytope *polytope);

/* The face with the least distance; the lowest of several. */
uint32_t carom_polytope_nearest(const carom_polytope *polytope);

/* Adds the last point (point[point_count - 1]), which lies beyond face `first`: replaces all faces that it sees by
 * those to their outline. False, and the surface is of no more use, if the outline is not one loop or memory ends. */
bool carom_polytope_grow(carom_polytope *polytope, uint32_t first);

#endif
