/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Images of bodies in a periodic box, as codes of 15 bits. Codes are in the order of shifts. */
#ifndef CAROM_RESPONSE_IMAGE_H
#define CAROM_RESPONSE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/periodic.h"

enum {
    CAROM_IMAGE_MOST = 15,    /* edges on an axis between a body and an image of another, at most */
    CAROM_IMAGE_SELF = 0x4210 /* the code of the body itself: no edge on any axis */
};

/* The code of a shift in edges of the box. */
static inline uint32_t carom_image_code(int32_t a, int32_t b, int32_t c) {
    return (uint32_t)((a + 16) << 10 | (b + 16) << 5 | (c + 16));
}

/* The code of the opposite shift: if k's image is at this one from i, then i's image is at that one from k. */
static inline uint32_t carom_image_opposite(uint32_t code) {
    return 2 * CAROM_IMAGE_SELF - code;
}

static inline void carom_image_edges(uint32_t code, int32_t edges[3]) {
    for (int a = 0; a < 3; a++) {
        edges[a] = (int32_t)(code >> (10 - 5 * a) & 31) - 16;
    }
}

/* What stands between a body and its image, in units of length. */
typedef struct carom_pair_image {
    uint32_t code;
    double shift[3];
} carom_pair_image;

/* What stands between a body and its image that many of the edges away. */
static inline void carom_image_shift(const double edge[3][3], const int32_t edges[3], double shift[3]) {
    for (int a = 0; a < 3; a++) {
        shift[a] = 0.0;
        for (int e = 0; e < 3; e++) {
            shift[a] += edges[e] == 0 ? 0.0 : edges[e] * edge[e][a];
        }
    }
}

/* `periodic` NULL: space is open. */
static inline carom_pair_image carom_image_of(const carom_periodic *periodic, uint32_t code) {
    carom_pair_image image = {.code = code};
    if (periodic == NULL || code == CAROM_IMAGE_SELF) {
        return image;
    }
    int32_t edges[3];
    carom_image_edges(code, edges);
    carom_image_shift(periodic->edge, edges, image.shift);
    return image;
}

#endif
