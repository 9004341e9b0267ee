/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A pair of bodies and images of a periodic box as a contact row names it. */
#ifndef CAROM_PERIODIC_IMAGE_PAIR_H
#define CAROM_PERIODIC_IMAGE_PAIR_H

#include "kernel/periodic/image_set.h"

typedef struct carom_image_pair {
    uint32_t i; /* the caller's bodies, i <= k */
    uint32_t k;
    int32_t shift[3]; /* body i, where the caller has it, meets body k moved by so many of the caller's edges. Of a body
                         and its own image the first that is not 0 is positive */
    double frame[3];  /* edges from where `images` has the body that is i to where the caller has it */
    bool turned;      /* i is the second one's owner */
} carom_image_pair;

/* first: an owned body, before `second`, which is one or an image. */
carom_image_pair carom_image_pair_of(const carom_images *images, uint32_t first, uint32_t second);

#endif
