/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: rows of keys. Out: rows of bodies, and the shifts of their images. */
#ifndef CAROM_LISTS_SHIFTS_H
#define CAROM_LISTS_SHIFTS_H

#include "carom/lists.h"
#include "kernel/lists/images.h"
#include "kernel/periodic/image_set.h"

/* lists: the rows are the context's, or there are none. from, images: whose bodies they are. Errors: MEMORY, CANCELLED.
 */
carom_status carom_lists_shifts(carom_context *context, const carom_images *from, const carom_lists_images *images,
                                carom_lists *lists);

#endif
