/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step under way, which the files that run its parts share. */
#ifndef CAROM_IMPACTS_RUN_H
#define CAROM_IMPACTS_RUN_H

#include <math.h>
#include <stdatomic.h>

#include "kernel/impacts/escape.h"
#include "kernel/impacts/share.h"
#include "kernel/impacts/state.h"

/* The shortest time, in steps, that is searched for where bodies are too far away in a longer one. It is the same for
 * all windows, and paths in it are about as short as the rounding of hulls to floats: so whether a step is refused
 * hardly depends on when its windows begin. */
static const double CAROM_RUN_SEARCH_LEAST = 0x1p-24;

/* Whether a search that failed until `end` is made again, for a shorter time. */
static inline bool carom_run_may_shorten(double begin, double end) {
    return end - begin > 1.5 * CAROM_RUN_SEARCH_LEAST;
}

/* Until when it is made again. */
static inline double carom_run_shorter(double begin, double end) {
    return begin + fmax((end - begin) / 4.0, CAROM_RUN_SEARCH_LEAST);
}

typedef struct carom_run {
    carom_impacts_step *step;
    carom_window *window;
    carom_memory *memory;
    carom_context *context;
    const carom_team *team;
    carom_error *error;
    carom_share share; /* of the groups that a stage works on, in window->dirty */
    double spent;      /* on trials (search_plan.h) */
    double latest;     /* that a search from the window's beginning may end: a longer one has failed; or 1 */
    double lap;
} carom_run;

/* What looks for the neighbours of bodies that left their hulls. */
static inline carom_escapes carom_run_escapes(const carom_run *run) {
    carom_search *search = &run->step->search;
    return (carom_escapes){run->window, &search->rows, &search->tree, &search->leaves, run->context};
}

/* Adds the time since the last lap to a phase. */
void carom_run_lap(carom_run *run, carom_step_phase phase);

/* After a stage: whether a worker lacked memory or met a body that is too far away, or the caller cancels. */
carom_status carom_run_status(carom_run *run);

carom_status carom_run_no_memory(const carom_run *run);

/* Finds neighbours, and their impacts, from the window's beginning to `end`, for all windows until then. Hulls last
 * until then, or `steps` from the beginning of the step if these are more. */
carom_status carom_run_search(carom_run *run, double end, uint32_t steps);

/* Predicts impacts of the neighbours that there are. */
typedef void carom_run_prediction(const carom_search *search, const carom_team *team, carom_window *window);
carom_status carom_run_predict(carom_run *run, carom_run_prediction *predict);

/* Runs the window from window->begin to window->end. Where a group has too many impacts, window->end is earlier then.
 */
carom_status carom_run_window(carom_run *run);

/* Runs a step in which nothing responds: events are all first impacts. */
carom_status carom_run_report(carom_run *run);

#endif
