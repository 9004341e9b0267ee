/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moving bodies as arrays: spheres, or shapes of a table. The caller owns the arrays; the library only reads them.
 *
 * Body i moves in a straight line at constant velocity, from prev at t = 0 to curr at t = 1. Its radius is constant.
 * Positions and radii share one unit of length, and any unit will do. In each array of three, index 0 is x, 1 is y
 * and 2 is z. The arrays need no alignment beyond their type's. They may alias one another: prev == curr is a scene at
 * rest. A valid body has finite coordinates and a finite radius >= 0.
 *
 * Layouts. With strides of 0 the values of an array lie side by side. A stride of s bytes puts value n at n s bytes
 * after the first, so that arrays of shape (N, 3) and arrays of structs go in as they are:
 *
 *     float x[N][3];                     prev = {&x[0][0], &x[0][1], &x[0][2]}, prev_stride = sizeof x[0]
 *     struct {double at[3], mass, r;} b[N]; prev = {&b[0].at[0], ...}, radius = &b[0].r, both strides sizeof b[0]
 *
 * The layout changes no bit of any result or message, and no call copies the arrays to pack them. A call reads nothing
 * before the first value of an array and nothing after the last; it may read the bytes between two values, whatever
 * they hold. A stride costs less than a nanosecond a body in arrays of shape (N, 3), a nanosecond or two where x, y
 * and z follow one another in structs, and elsewhere a few more.
 *
 * A call returns ARGUMENT unless the stride of every array that is given is 0 or a multiple of its value's size, and
 * every array's values lie within PTRDIFF_MAX bytes. So strides are never negative, and structs whose size is no such
 * multiple must be copied.
 */
#ifndef CAROM_BODIES_H
#define CAROM_BODIES_H

#include <stddef.h>
#include <stdint.h>

#include "carom/shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of bodies in one call. Indices have 32 bits; the largest value is reserved for "none". */
#define CAROM_BODIES_MAX UINT64_C(0xFFFFFFFE)

typedef struct carom_bodies_f32 {
    /* sizeof(carom_bodies_f32), in bytes; 0: the members before `shapes` alone, so that all are spheres
     * (carom/version.h). */
    size_t size;

    /* Number of bodies, 0 to CAROM_BODIES_MAX. With 0 the arrays may be NULL. */
    uint64_t count;

    /* Positions of the centres at t = 0: count values an axis, in units of length, finite. */
    const float *prev[3];

    /* Positions of the centres at t = 1: count values an axis, in units of length, finite. All three NULL: the bodies
     * rest where prev has them. */
    const float *curr[3];

    /* Radii: count values, in units of length, finite and >= 0. NULL: all bodies have common_radius. */
    const float *radius;

    /* Bytes from a body's value to the next body's in each array of prev. 0: sizeof(float). */
    uint64_t prev_stride;

    /* The same for curr. Not used if curr is NULL. */
    uint64_t curr_stride;

    /* The same for radius. Not used if radius is NULL. */
    uint64_t radius_stride;

    /* Radius of every body if radius is NULL, in units of length, finite and > 0; else 0. (If all bodies are points,
     * give an array of zeros as radius: 0 here means that the radii were forgotten, which is an error.) */
    float common_radius;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* Shapes that the bodies have (carom/shapes.h). NULL, the default: all bodies are spheres, and the members below are
     * not used. With shapes, radius and common_radius are not used, and may be NULL and 0. */
    const carom_shapes *shapes;

    /* Each body's entry in the table: count values. NULL: entry 0 for all. */
    const uint32_t *shape;

    /* Rotations at t = 0: quaternions, x, y, z and w of count values each, of length 0.5 to 2. All four NULL: no body is
     * rotated. */
    const float *prev_turn[4];

    /* Rotations at t = 1: the body turns the shorter way; of two ways of half a turn, the one whose rotation vector
     * begins with a positive component. All four NULL: as `spin` says, or not at all. */
    const float *curr_turn[4];

    /* Rotation vectors of the step, in radians: a body turns by the vector's length about its direction, any number of
     * turns. All three NULL: as curr_turn says. Not both. */
    const float *spin[3];

    /* Bytes from a body's value to the next body's, as for prev; 0: side by side. */
    uint64_t shape_stride;
    uint64_t prev_turn_stride;
    uint64_t curr_turn_stride;
    uint64_t spin_stride;
} carom_bodies_f32;

/* The fields are as in carom_bodies_f32, with double. */
typedef struct carom_bodies_f64 {
    size_t size;
    uint64_t count;
    const double *prev[3];
    const double *curr[3];
    const double *radius;
    uint64_t prev_stride;
    uint64_t curr_stride;
    uint64_t radius_stride;
    double common_radius;
    const carom_shapes *shapes;
    const uint32_t *shape;
    const double *prev_turn[4];
    const double *curr_turn[4];
    const double *spin[3];
    uint64_t shape_stride;
    uint64_t prev_turn_stride;
    uint64_t curr_turn_stride;
    uint64_t spin_stride;
} carom_bodies_f64;

#ifdef __cplusplus
}
#endif

#endif
