/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The end of a window. */
#ifndef CAROM_IMPACTS_FINISH_H
#define CAROM_IMPACTS_FINISH_H

#include "kernel/impacts/events.h"
#include "kernel/impacts/window.h"

/* Impacts of a window. */
typedef struct carom_tally {
    uint64_t impacts;
    uint64_t surface_impacts;
    uint64_t unusual; /* paths that end held, or with a motion that is not usual (bodies.h) */
} carom_tally;

/* The paths of the window are final: bodies go on with their last pieces, what was noted for later windows is pending,
 * and impacts are appended to `events`, unless it is NULL. Sets window->failed if there is no memory, or if there are
 * more than 2^32 - 1 impacts. */
carom_tally carom_window_finish(carom_window *window, const carom_team *team, carom_impacts_events *events);

/* Forgets the window's paths, impacts and groups: bodies are as they were when it began, but for wider hulls. */
void carom_window_drop(const carom_window *window);

#endif
