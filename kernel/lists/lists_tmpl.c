/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/lists_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/lists/fill_tmpl.h"
#include "kernel/lists/place_tmpl.h"
#include "kernel/lists/search_tmpl.h"

carom_status carom_lists_by_cells(carom_context *context, const carom_bodies *bodies, const carom_list_config *config,
                                  carom_lists *lists) {
    CAROM_ASSERT(bodies->count > 0 && bodies->count <= CAROM_BODIES_MAX);
    carom_lists_job job = {.context = context, .bodies = bodies, .config = config, .required = &lists->required_bytes};
    bool pays = false;
    carom_context_use_workers(context, bodies->count);
    carom_status status = carom_lists_place(&job, &pays);
    if (status == CAROM_OK && pays) {
        status = carom_lists_search(&job, &pays);
    }
    if (status != CAROM_OK || !pays) {
        return status;
    }
    status = carom_lists_fill(&job);
    if (status == CAROM_OK) {
        lists->offset = job.offset;
        lists->count = job.offset[bodies->count];
        lists->body = lists->count > 0 ? job.row : NULL;
        lists->by_cells = true;
    }
    return status;
}
