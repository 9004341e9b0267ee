/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The images of all bodies that a box may meet. */
#ifndef CAROM_IMPACTS_IMAGES_H
#define CAROM_IMPACTS_IMAGES_H

#include "kernel/impacts/tree.h"
#include "kernel/response/image.h"

/* A walk through images:
 *
 *     carom_image_walk images = carom_images_begin(periodic, &box, tree);
 *     while (carom_images_next(&images)) {
 *         ... images.code, unless images.far: of the bodies whose own places meet images.box
 *     }
 *
 * In open space it has one, and its box is `box`. */
typedef struct carom_image_walk {
    const carom_periodic *periodic;
    carom_box from;
    carom_box box;
    uint32_t code;
    int32_t lo[3]; /* numbers of edges, at least and at most */
    int32_t hi[3];
    int32_t at[3];
    bool far;    /* this one is more than CAROM_IMAGE_MOST edges away, and has no code */
    bool beyond; /* some are so far away that they are left out */
} carom_image_walk;

/* Vectors whose products with a displacement are its numbers of edges; 0 where space is open. */
void carom_images_dual(const carom_periodic *periodic, double dual[3][3]);

/* Images of what the tree holds that a box may meet. `periodic` NULL: open space. */
carom_image_walk carom_images_begin(const carom_periodic *periodic, const carom_box *box, const carom_tree *tree);

bool carom_images_next(carom_image_walk *images);

#endif
