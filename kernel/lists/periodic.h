/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists by cells in a periodic box, for calls of both precisions: all in double, like a detection's. */
#ifndef CAROM_LISTS_PERIODIC_H
#define CAROM_LISTS_PERIODIC_H

#include "carom/lists.h"
#include "kernel/periodic/image_set.h"

/* Like carom_lists_by_cells, of the bodies of `source`, which move or are at rest, in the box of the config. Where a
 * detection would refuse bodies or the box, as where cells do not pay, *lists has no rows and by_cells is false. */
carom_status carom_lists_periodic(carom_context *context, const carom_image_source *source, bool moves,
                                  const carom_list_config *config, carom_lists *lists);

#endif
