/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbours for a time of several windows, and the impacts that happen in it if nothing else does. */
#ifndef CAROM_IMPACTS_SEARCH_H
#define CAROM_IMPACTS_SEARCH_H

#include "kernel/impacts/hulls.h"
#include "kernel/impacts/leaves.h"
#include "kernel/impacts/rows.h"
#include "kernel/impacts/tree.h"
#include "kernel/impacts/window.h"
#include "kernel/store/context.h"

/* Hulls for more steps than the ones before are a trial: they may meet far more than was estimated. */
typedef struct carom_reuse_trial {
    double price;    /* of a step with the hulls of the last search, by what it found */
    uint32_t steps;  /* that these were for */
    uint32_t most;   /* that hulls may last, after a trial that was too dear, */
    uint32_t wait;   /* for so many searches */
    uint32_t waited; /* how many these were in all */
    bool dear;       /* the last search was such a trial */
} carom_reuse_trial;

/* What is known of hulls that may serve several steps (kernel/impacts/reuse.h). */
typedef struct carom_reuse {
    uint32_t left;     /* steps that hulls last after the last one; 0: they serve no other */
    uint32_t bodies;   /* how many bodies have hulls */
    uint32_t steps;    /* that the last search of a whole step was for; 0: the last one was for less, or tight */
    double neighbours; /* of a body, on the average, that this search found, images counted */
    double impacts;    /* of a body, on the average, in the last step */
    uint32_t wait;     /* searches that must be for one step alone */
    uint32_t waited;   /* how many these were in all */
    carom_reuse_trial trial;
    bool periodic;      /* space repeats */
    carom_periodic box; /* if so: its edges */
    bool filtered;      /* rows lack pairs that the rules did not let collide */
    uint32_t workers;   /* who have prospects for the next step; 0: there are none */
    bool prospects;     /* they serve this step: bodies go on along their coarse paths, in their hulls, */
    uint64_t *changed;  /* but for some: a bit for each slot whose pairs are looked at anew */
    carom_list surface; /* of carom_surface: those that rows have */
    carom_buffer changed_buffer;
} carom_reuse;

/* Zero-initialise before the first use. */
typedef struct carom_search {
    carom_hulls hulls;
    carom_impacts_rows rows;
    carom_tree tree; /* over hulls, for surfaces; then over the leaves, for escapes (escape.h) */
    carom_leaves leaves;
    carom_reuse reuse;
    carom_found_pairs pairs; /* in the context's memory, until its next call */
    carom_list surface;      /* of carom_contact_pair: bodies near surfaces */
    carom_buffer hull_buffer;
    carom_buffer coarse_buffer;
} carom_search;

/* Makes hulls and rows for the time that search->hulls has, in place of those that there are. `context` searches, with
 * the workers of its team. Errors: MEMORY; BODY, with the lowest number of a body that is beyond floats or that an
 * image more than CAROM_IMAGE_MOST edges away may meet; those of detection in a periodic box. */
carom_status carom_search_run(carom_search *search, carom_memory *memory, carom_context *context, carom_window *window,
                              carom_error *error);

/* BODY if a worker has noted a body that cannot go on. */
carom_status carom_search_beyond(const carom_window *window, const carom_team *team, carom_error *error);

/* Predicts the impacts of all neighbours before search->hulls.until into each worker's `pending`. */
void carom_search_predict(const carom_search *search, const carom_team *team, carom_window *window);

void carom_search_release(carom_search *search, carom_memory *memory);

#endif
