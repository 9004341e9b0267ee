/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Images of the bodies of a periodic box, as lists by cells need them: on all sides, since both bodies of a pair have
 * rows. A pair is decided as a detection does it: it moves one of the two bodies by a lattice vector that is positive
 * (periodic/images.h).
 *
 * Rows hold keys: a body's number, and after it, for each of the caller's edges, how many are added to where the caller
 * has the body, the first edge in the highest bits: of a body's own images that of the greater key is the one of which
 * the first number that is not 0 is positive. Sorted keys have bodies in order. Where a box is tilted so far that
 * neighbours are several of the caller's edges away, keys count edges of the reduced basis instead, and not what was
 * taken from bodies' places. */
#ifndef CAROM_LISTS_IMAGES_H
#define CAROM_LISTS_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/kernels.h"

/* Lattice vectors of at most one edge along each axis. */
enum { CAROM_LISTS_MOVES = 27 };

/* Bits of a key for each edge: those of an image's steps, and of what may have been taken from a body's place, too. */
enum { CAROM_LISTS_STEP_BITS = 2, CAROM_LISTS_WRAP_BITS = 3 };

/* An image, moved. */
typedef struct carom_lists_image {
    carom_record_f64 body;
    uint32_t key;
} carom_lists_image;

typedef struct carom_lists_move {
    double by[3];
    int32_t edges[3]; /* of the caller's */
    bool positive;    /* a detection has images that are moved by it */
} carom_lists_move;

typedef struct carom_lists_images {
    carom_lists_move move[CAROM_LISTS_MOVES]; /* by the number of the vector, see carom_lists_move_number */
    const carom_lists_image *image;           /* `count` */
    uint64_t count;
    bool reduced;             /* keys and moves count edges of the reduced basis, not the caller's */
    uint32_t axis_bits;       /* of a key, for each edge */
    const int32_t (*wrap)[3]; /* edges taken from each body's place, which keys count; NULL: none, or they do not */
    double edge[3]; /* of the box, along axes where it repeats: no images are made, but cells at its faces look
                       across them; else 0 */
    double lo[3];   /* bounds of all images' centres; if there are none, infinity and its opposite */
    double hi[3];
    double size; /* greatest distance of a body's box from the origin along an axis */
} carom_lists_images;

/* The greatest number of edges that so many bits hold; the least is its opposite. */
static inline int32_t carom_lists_edges_most(uint32_t axis_bits) {
    return (1 << (axis_bits - 1)) - 1;
}

/* The number of a lattice vector; that of its opposite is as far from the other end. */
static inline uint32_t carom_lists_move_number(const int32_t step[3]) {
    return (uint32_t)((step[0] + 1) * 9 + (step[1] + 1) * 3 + step[2] + 1);
}

/* The key of a body, moved by so many edges from where it is in the cell. */
static inline uint32_t carom_lists_key(const carom_lists_images *images, uint32_t body, const int32_t step[3]) {
    uint32_t key = body;
    for (int a = 0; a < 3; a++) {
        const int32_t edges = step[a] - (images->wrap != NULL ? images->wrap[body][a] : 0);
        key = key << images->axis_bits | (uint32_t)(edges + carom_lists_edges_most(images->axis_bits));
    }
    return key;
}

/* How many of an edge a key counts. */
static inline int32_t carom_lists_key_edges(uint32_t key, int axis, uint32_t axis_bits) {
    const uint32_t bits = key >> (uint32_t)(2 - axis) * axis_bits & ((1U << axis_bits) - 1);
    return (int32_t)bits - carom_lists_edges_most(axis_bits);
}

/* The caller's edges that a key counts. */
static inline void carom_lists_key_shift(const carom_lists_images *images, uint32_t key, int32_t shift[3]) {
    for (int a = 0; a < 3; a++) {
        shift[a] = carom_lists_key_edges(key, a, images->axis_bits);
    }
    if (images->reduced) {
        const int32_t *edges = images->move[carom_lists_move_number(shift)].edges;
        shift[0] = edges[0], shift[1] = edges[1], shift[2] = edges[2];
    }
}

/* Sets step to the lattice vector that moves the body. Returns whether there is one: the key is an image's. */
static inline bool carom_lists_key_step(const carom_lists_images *images, uint32_t key, int32_t step[3]) {
    const uint32_t body = key >> 3 * images->axis_bits;
    for (int a = 0; a < 3; a++) {
        step[a] = carom_lists_key_edges(key, a, images->axis_bits);
        step[a] += images->wrap != NULL ? images->wrap[body][a] : 0;
    }
    return (step[0] | step[1] | step[2]) != 0;
}

#endif
