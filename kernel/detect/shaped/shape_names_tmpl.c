/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/shaped/shape_names_tmpl.h"

#include <string.h>

#include "kernel/periodic/image_pair.h"

static void name_images(const carom_images *images, carom_shape_two *pair) {
    const carom_image_pair named = carom_image_pair_of(images, pair->searched[0], pair->searched[1]);
    pair->body_i = named.i;
    pair->body_k = named.k;
    if (named.shift[0] != 0 || named.shift[1] != 0 || named.shift[2] != 0) {
        carom_lattice_displacement(&images->lattice, (double[3]){named.shift[0], named.shift[1], named.shift[2]},
                                   pair->by);
    }
}

void carom_shape_names(const carom_detect_job *job, uint32_t slot_i, uint32_t slot_k, carom_shape_two *pair) {
    const uint32_t a = (uint32_t)job->search.records[slot_i].body;
    const uint32_t b = (uint32_t)job->search.records[slot_k].body;
    pair->searched[0] = a < b ? a : b;
    pair->searched[1] = a < b ? b : a;
    pair->body_i = pair->searched[0];
    pair->body_k = pair->searched[1];
    memset(pair->by, 0, sizeof pair->by);
    if (job->periodic.images != NULL) {
        name_images(job->periodic.images, pair);
    }
}
