/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the bodies of a periodic box, moved into its cell. Out: their images on all sides, for lists by cells. */
#ifndef CAROM_LISTS_IMAGES_MAKE_H
#define CAROM_LISTS_IMAGES_MAKE_H

#include "carom/periodic.h"
#include "kernel/lists/images.h"
#include "kernel/periodic/image_set.h"

/* Whether cells at the faces of this box may look across them, in place of images: its edges lie along the axes, and
 * its bodies are at rest. If so, sets images->edge. */
bool carom_lists_images_may_look_across(const carom_periodic *box, bool moves, carom_lists_images *images);

/* With images->edge makes no images, but all else that keys need; *fits: whether bodies were moved by at most two
 * edges, so that rounding has not moved them. Else *fits: whether keys can name all images: there are not too many
 * bodies, and each image is at most one edge of the caller's or of the reduced basis away along each. from: its bodies
 * are placed; it outlives *images. Errors: MEMORY, CANCELLED. */
carom_status carom_lists_images_make(carom_context *context, const carom_images *from, carom_lists_images *images,
                                     uint64_t *required, bool *fits);

#endif
