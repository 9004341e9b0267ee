/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bodies of a periodic box and their images, as all rooms below detection see them: owned bodies first, then
 * images. images.h says how they are made. */
#ifndef CAROM_PERIODIC_IMAGE_SET_H
#define CAROM_PERIODIC_IMAGE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/check/assert.h"
#include "kernel/groups/groups.h"
#include "kernel/periodic/image_batch.h"
#include "kernel/periodic/lattice.h"
#include "kernel/store/context.h"

/* A copy of body `owner`, moved by shift[0] .. shift[2] of the caller's edges. */
typedef struct carom_image {
    uint32_t owner;
    int32_t shift[3];
} carom_image;

typedef struct carom_images {
    carom_lattice lattice;
    bool self_images;         /* a body meets its own images, and may be of any size */
    uint64_t most_images;     /* more are an error; 0: as many as bodies can be numbered */
    bool unplaced;            /* which images there are is all that is wanted: `bodies` has none */
    bool owned_only;          /* no images are wanted, only bodies that are moved into the cell */
    bool shaped;              /* bodies are points that move through the swept boxes of bodies with shapes */
    uint64_t owned;           /* bodies of the caller's */
    uint64_t count;           /* images; owned + count <= CAROM_BODIES_MAX */
    const carom_image *image; /* of body owned + n, in order of owners */
    const int32_t (*wrap)[3]; /* a body: edges of the caller's taken from its position, |wrap| <= 1e9; NULL: none */
    int32_t most[3];          /* greatest |shift| of an image */
    double lo[3];             /* range of the owned boxes in the lattice, widened by what rounding can do */
    double hi[3];
    bool coarse;  /* the range was not widened by all that boxes are rounded outward by: numbers are too great */
    double reach; /* greatest distance of such a box from the origin along an axis */
    carom_bodies_f64 bodies; /* owned ones in the caller's order, then images */
} carom_images;

/* The caller's bodies, of either precision. */
typedef struct carom_image_source {
    const void *bodies; /* carom_bodies_f32 or carom_bodies_f64 */
    uint64_t count;
    void (*load)(const void *bodies, uint64_t begin, carom_image_batch *batch); /* see load.h */
    void (*load_one)(const void *bodies, uint64_t body, double value[CAROM_BODY_FIELDS]);
    bool (*home)(const void *bodies, const carom_simd *simd, uint64_t begin, uint64_t end, const carom_home *home,
                 double *const field[CAROM_BODY_FIELDS]); /* see load.h; only for carom_renewal */
    bool placed; /* the bodies are in the cell, but for rounding, and are left where they are */
} carom_image_source;

/* What was taken from a body's position along one of the caller's edges, in edges. */
static inline int32_t carom_images_wrap(const carom_images *images, uint32_t body, int axis) {
    CAROM_ASSERT(body < images->owned);
    return images->wrap != NULL ? images->wrap[body][axis] : 0;
}

/* The caller's body that a body of `images` is, or is an image of. */
static inline uint32_t carom_images_owner(const carom_images *images, uint32_t body) {
    CAROM_ASSERT(body < images->owned + images->count);
    return body < images->owned ? body : images->image[body - images->owned].owner;
}

/* The number of the first image of `count`, in order of owners, whose owner is `owner` or comes after it. */
static inline uint64_t carom_images_first_of(const carom_image *image, uint64_t count, uint64_t owner) {
    uint64_t low = 0;
    uint64_t high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (image[middle].owner < owner) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether to report a pair: not one of two images, which is found elsewhere too, nor a body with its own image, unless
 * `self`, which is images->self_images: loops over pairs look it up once. */
static inline bool carom_images_report(const carom_images *images, bool self, uint32_t i, uint32_t k) {
    uint32_t first = i < k ? i : k;
    return first < images->owned && (self || carom_images_owner(images, i < k ? k : i) != first);
}

#endif
