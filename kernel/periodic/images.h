/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a periodic box as bodies of open space. Each body is moved into one cell of the lattice ("owned"), and
 * copies of those near the cell's faces are added ("images"), displaced by lattice vectors that are lexicographically
 * positive in the reduced basis: of a pair and the same pair seen from the other body just one is then an owned body
 * with an owned one or with an image, so that each touch is found exactly once. An image is made where its box, in
 * coordinates of the lattice, reaches the range of the owned boxes; with boxes larger than the cell these are several
 * layers. All in double, for both precisions: a float and a displacement do not add up to a float. */
#ifndef CAROM_PERIODIC_IMAGES_H
#define CAROM_PERIODIC_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

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
    uint64_t owned;
    uint64_t count;           /* images */
    const carom_image *image; /* of body owned + n */
    const int32_t (*wrap)[3]; /* a body: what was taken from its position, in the caller's edges; NULL: nothing */
    int32_t most[3];          /* greatest |shift| of an image */
    carom_bodies_f64 bodies;  /* owned ones in the caller's order, then images by owner */
} carom_images;

/* The caller's bodies, of either precision. load widens bodies [begin, begin + batch->count). */
typedef struct carom_image_source {
    const void *bodies;
    uint64_t count;
    void (*load)(const void *bodies, uint64_t begin, carom_image_batch *batch);
} carom_image_source;

/* Fills *images but for its lattice, which is given. Values that are not numbers are left as they are, without images,
 * for the survey of the bodies to find. O(bodies + images), in parallel; the same for any number of workers.
 * Errors: BODY (a body that could touch its own image, that is too far away, or that moves across too many boxes),
 * MEMORY (with *required, see carom_context_reserve). */
carom_status carom_images_make(carom_context *context, const carom_image_source *source, carom_images *images,
                               uint64_t *required, carom_error *error);

/* Bytes of the buffers that carom_images_make takes for so many workers, bodies and images. */
uint64_t carom_images_bytes(uint32_t workers, uint64_t owned, uint64_t images);

/* How many images so many bodies may have that make `pairs` touching pairs: an estimate that lies above the number in
 * scenes of even density. lattice: of the box. The pairs tell how far bodies reach, which tells how many are near a
 * face. */
uint64_t carom_images_estimate(const carom_lattice *lattice, uint64_t owned, uint64_t pairs);

/* Whether the box is a column so narrow, of so few bodies, that one sweep along it may be the best search. */
bool carom_images_in_column(const carom_lattice *lattice, uint64_t owned, uint64_t pairs);

static inline int32_t carom_images_wrap(const carom_images *images, uint32_t body, int axis) {
    return images->wrap != NULL ? images->wrap[body][axis] : 0;
}

/* Which body of the caller's body n of `images` is. */
static inline uint32_t carom_images_owner(const carom_images *images, uint32_t body) {
    return body < images->owned ? body : images->image[body - images->owned].owner;
}

/* Whether a pair is one to report: not of two images, nor of a body and an image of its own. */
static inline bool carom_images_report(const carom_images *images, uint32_t i, uint32_t k) {
    uint32_t first = i < k ? i : k;
    return first < images->owned && carom_images_owner(images, i < k ? k : i) != first;
}

/* Joins every image to its owner before groups are labelled. */
void carom_images_unite(const carom_team *team, const carom_images *images, const carom_group_workspace *workspace);

#endif
