/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/periodic.h"

#include "kernel/lists/images_make.h"
#include "kernel/lists/lists_tmpl.h"
#include "kernel/lists/shifts.h"
#include "kernel/periodic/images.h"

/* Errors that a detection finds, too, and explains. */
static bool is_for_detection(carom_status status) {
    return status != CAROM_OK && status != CAROM_ERROR_MEMORY && status != CAROM_ERROR_CANCELLED;
}

carom_status carom_lists_periodic(carom_context *context, const carom_image_source *source, bool moves,
                                  const carom_list_config *config, carom_lists *lists) {
    carom_images from = {.self_images = config->periodic->self_images, .owned = source->count};
    carom_lists_images images;
    bool fits = false;
    carom_status status = carom_lattice_make(config->periodic, &from.lattice, NULL);
    if (status == CAROM_OK) {
        carom_context_use_workers(context, source->count);
        status = carom_images_make(context, source, &from, &lists->required_bytes, NULL);
    }
    if (status == CAROM_OK) {
        status = carom_lists_images_make(context, &from, &images, &lists->required_bytes, &fits);
    }
    if (status != CAROM_OK || !fits) {
        return is_for_detection(status) ? CAROM_OK : status;
    }
    carom_bodies owned = from.bodies;
    owned.count = from.owned;
    status = carom_lists_by_cells(context, &owned, moves, &images, config, lists);
    return status == CAROM_OK && lists->by_cells ? carom_lists_shifts(context, &from, &images, lists) : status;
}
