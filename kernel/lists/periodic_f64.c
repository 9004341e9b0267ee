/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/periodic.h"

#include <string.h>

#include "kernel/lists/images_make.h"
#include "kernel/lists/lists_tmpl.h"
#include "kernel/lists/shifts.h"
#include "kernel/periodic/images.h"

/* Errors that a detection finds, too, and explains. */
static bool is_for_detection(carom_status status) {
    return status != CAROM_OK && status != CAROM_ERROR_MEMORY && status != CAROM_ERROR_CANCELLED;
}

/* *fits: the images, if any, and a grid do. */
static carom_status make_lists(carom_context *context, const carom_images *from, carom_lists_images *images, bool moves,
                               const carom_list_config *config, carom_lists *lists, bool *fits) {
    carom_bodies owned = from->bodies;
    owned.count = from->owned;
    carom_status status = carom_lists_images_make(context, from, images, &lists->required_bytes, fits);
    if (status == CAROM_OK && *fits) {
        status = carom_lists_by_cells(context, &owned, moves, images, config, lists, fits);
    }
    return status == CAROM_OK && lists->by_cells ? carom_lists_shifts(context, from, images, lists) : status;
}

carom_status carom_lists_periodic(carom_context *context, const carom_image_source *source, bool moves,
                                  const carom_list_config *config, carom_lists *lists) {
    carom_images from = {.self_images = config->periodic->self_images, .owned = source->count, .owned_only = true};
    carom_status status = carom_lattice_make(config->periodic, &from.lattice, NULL);
    if (status == CAROM_OK) {
        carom_context_use_workers(context, source->count);
        status = carom_images_make(context, source, &from, &lists->required_bytes, NULL);
    }
    carom_lists_images images = {.count = 0};
    bool fits = false;
    if (status == CAROM_OK && carom_lists_images_may_look_across(config->periodic, moves, &images)) {
        status = make_lists(context, &from, &images, moves, config, lists, &fits);
    }
    if (status == CAROM_OK && !fits) { /* with images */
        memset(images.edge, 0, sizeof images.edge);
        status = make_lists(context, &from, &images, moves, config, lists, &fits);
    }
    return is_for_detection(status) ? CAROM_OK : status;
}
