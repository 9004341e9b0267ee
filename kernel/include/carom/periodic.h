/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A periodic box. Space repeats along some of its three edge vectors: every body has an image at each sum of whole
 * multiples of those vectors. The box may be orthorhombic or triclinic, with any tilt; with surfaces steps take less
 * (carom/step.h). Its position does not matter, and bodies may lie inside or outside. */
#ifndef CAROM_PERIODIC_H
#define CAROM_PERIODIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_periodic {
    /* sizeof(carom_periodic), in bytes. carom_periodic_default() sets it. */
    size_t size;

    /* Whether space repeats along edge[a]. At least one must be true. */
    bool along[3];

    /* edge[a] is the a-th edge vector: x, y, z in the caller's unit of length. Edges with along[a] must have finite
     * lengths and be linearly independent, which is decided exactly. The whole numbers by which the call multiplies
     * them to get a short basis must be doubles: with one tilt of up to 2^53 widths they are; tilts of several edges
     * multiply. In boxes tilted by some 1e8 widths images may lie more than 1e8 edges away, or bodies more than 1e9:
     * then the call returns BODY. No whole multiples may add up to a vector shorter than DBL_MIN. The library ignores
     * the other edges: space is open there. */
    double edge[3][3];

    /* Whether bodies also meet their own images, so that bodies and cutoffs may be of any size: neighbour lists with
     * cutoffs beyond half the box, down to a crystal's primitive cell. Default: false. Then a body never pairs with its
     * own image, and a body whose diameter is not less than the distance to that is an error (BODY). carom/detect.h
     * says how pairs (i, i) appear. */
    bool self_images;

    /* 0. Later versions may give these bytes a name and a meaning. */
    uint8_t reserved[7];
} carom_periodic;

/* Returns a box with `size` set, no axis, zero edges and no self images. The caller fills in the rest. */
static inline carom_periodic carom_periodic_default(void) {
    carom_periodic periodic;
    memset(&periodic, 0, sizeof periodic);
    periodic.size = sizeof periodic;
    return periodic;
}

#ifdef __cplusplus
}
#endif

#endif
