/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the bodies of a periodic box, moved into its cell. Out: their images on all sides, for lists by cells. */
#ifndef CAROM_LISTS_IMAGES_MAKE_H
#define CAROM_LISTS_IMAGES_MAKE_H

#include "kernel/lists/images.h"
#include "kernel/periodic/image_set.h"

/* *fits: whether keys can name all images: there are not too many bodies, and each image is at most one edge of the
 * caller's or of the reduced basis away along each. from: its bodies are placed; it outlives *images. Errors: MEMORY,
 * CANCELLED. */
carom_status carom_lists_images_make(carom_context *context, const carom_images *from, carom_lists_images *images,
                                     uint64_t *required, bool *fits);

#endif
