/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbours for a time of several windows, and the impacts that happen in it if nothing else does. */
#ifndef CAROM_IMPACTS_SEARCH_H
#define CAROM_IMPACTS_SEARCH_H

#include "kernel/impacts/hulls.h"
#include "kernel/impacts/rows.h"
#include "kernel/impacts/tree.h"
#include "kernel/impacts/window.h"
#include "kernel/store/context.h"

/* Zero-initialise before the first use. */
typedef struct carom_search {
    carom_hulls hulls;
    carom_impacts_rows rows;
    carom_tree tree;         /* over the hulls; count 0: not built since the last search */
    carom_found_pairs pairs; /* in the context's memory, until its next call */
    carom_list surface;      /* of carom_contact_pair: bodies near surfaces */
    carom_buffer hull_buffer;
    carom_buffer coarse_buffer;
} carom_search;

/* Makes hulls and rows for the time from search->hulls.frame.begin to search->hulls.frame.end. `context` searches, with
 * the workers of its team. Errors: MEMORY; BODY, with the lowest number of a body that is beyond floats or that an
 * image more than CAROM_IMAGE_MOST edges away may meet; those of detection in a periodic box. */
carom_status carom_search_run(carom_search *search, carom_memory *memory, carom_context *context, carom_window *window,
                              carom_error *error);

/* BODY if a worker has noted a body that cannot go on. */
carom_status carom_search_beyond(const carom_window *window, const carom_team *team, carom_error *error);

/* Predicts the impacts of all neighbours before the hulls end into each worker's `pending`. */
void carom_search_predict(const carom_search *search, const carom_team *team, carom_window *window);

void carom_search_release(carom_search *search, carom_memory *memory);

#endif
