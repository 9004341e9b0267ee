/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The images of what a tree holds that a box may meet. */
#ifndef CAROM_IMPACTS_IMAGES_H
#define CAROM_IMPACTS_IMAGES_H

#include "kernel/impacts/tree.h"
#include "kernel/response/image.h"

/* A walk through images:
 *
 *     carom_image_walk images = carom_images_begin(periodic, &box, tree);
 *     while (carom_images_next(&images)) {
 *         ... images.box: the box moved back by images.edges. What it meets in the tree, moved by these, meets the box
 *     }
 *
 * In open space it has one, and its box is `box`. */
typedef struct carom_image_walk {
    const carom_periodic *periodic;
    carom_box from;
    carom_box box;
    int32_t edges[3];
    int32_t lo[3]; /* numbers of edges, at least and at most */
    int32_t hi[3];
    int32_t at[3];
    bool beyond; /* some are so far away that they are left out */
} carom_image_walk;

/* Vectors whose products with a displacement are its numbers of edges; 0 where space is open. */
void carom_images_dual(const carom_periodic *periodic, double dual[3][3]);

/* Images of what the tree holds that a box may meet. `periodic` NULL: open space. */
carom_image_walk carom_images_begin(const carom_periodic *periodic, const carom_box *box, const carom_tree *tree);

bool carom_images_next(carom_image_walk *images);

/* A box less a shift by so many edges, rounded outward. */
carom_box carom_images_move(const carom_box *box, const carom_periodic *periodic, const int32_t edges[3]);

#endif
