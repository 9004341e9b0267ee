/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/lists_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/lists/fill_tmpl.h"
#include "kernel/lists/pairs_tmpl.h"
#include "kernel/lists/place_tmpl.h"
#include "kernel/lists/search_tmpl.h"

carom_status carom_lists_by_cells(carom_context *context, const carom_bodies *bodies, bool moves,
                                  const carom_lists_images *images, const carom_list_config *config, carom_lists *lists,
                                  bool *fits) {
    CAROM_ASSERT(bodies->count > 0 && bodies->count <= CAROM_BODIES_MAX);
    carom_lists_job job = {.context = context,
                           .bodies = bodies,
                           .config = config,
                           .lists = lists,
                           .moves = moves,
                           .once = config->pairs && images == NULL,
                           .images = images,
                           .key_bits = images != NULL ? 3 * images->axis_bits : 0,
                           .count = bodies->count + (images != NULL ? images->count : 0),
                           .slots.filter.given = config->filter};
    bool pays = false;
    *fits = false;
    if (job.count > CAROM_BODIES_MAX) {
        return CAROM_OK;
    }
    carom_context_use_workers(context, bodies->count);
    carom_status status = carom_lists_place(&job, fits);
    if (status == CAROM_OK && *fits) {
        status = carom_lists_search(&job, &pays);
    }
    if (status != CAROM_OK || !pays) {
        return status;
    }
    if (config->pairs) {
        status = carom_lists_write_pairs(&job);
        if (status == CAROM_OK) {
            lists->count = job.result.pairs;
            lists->i = job.result.pair[0];
            lists->k = job.result.pair[1];
            lists->by_cells = true;
        }
        return status;
    }
    status = carom_lists_fill(&job);
    if (status == CAROM_OK) {
        lists->offset = job.result.offset;
        lists->count = job.result.offset[bodies->count];
        lists->body = lists->count > 0 ? job.result.row : NULL;
        lists->by_cells = true;
    }
    return status;
}
