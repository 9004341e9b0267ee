/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Second and third pass over the bodies of a periodic box: one counts, the other writes, so images need no room
 * beforehand. In: what the first pass found, and the range of all boxes. Out: the owned bodies, moved into the cell,
 * and their images. */
#ifndef CAROM_PERIODIC_PLACE_H
#define CAROM_PERIODIC_PLACE_H

#include "kernel/periodic/image_job.h"

/* Teams' tasks; `data` is a carom_image_job. The second pass counts images, the third writes bodies and images. */
void carom_place_count_images(void *data, uint32_t worker);
void carom_place_bodies(void *data, uint32_t worker);

#endif
