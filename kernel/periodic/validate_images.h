/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A check of bodies and images of a periodic box. In: images as carom_images_make leaves them. Out: NULL, or a sentence
 * that says what is wrong. Checked builds and unit tests only. */
#ifndef CAROM_PERIODIC_VALIDATE_IMAGES_H
#define CAROM_PERIODIC_VALIDATE_IMAGES_H

#include "kernel/periodic/image_set.h"

/* Owners exist and ascend; shifts are not zero and within `most`; each image is its owner displaced by its shift; no
 * value is NaN if there are images. Without images, bodies may hold values that the survey will refuse.
 * O(bodies + images). */
const char *carom_images_validate(const carom_images *images);

#endif
