/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps keep from one to the next. */
#ifndef CAROM_IMPACTS_STATE_H
#define CAROM_IMPACTS_STATE_H

#include "carom/step.h"
#include "kernel/impacts/events.h"
#include "kernel/impacts/search.h"
#include "kernel/impacts/window.h"

/* What the last step took. */
typedef struct carom_impacts_work {
    uint32_t windows;
    uint32_t rounds; /* of simulation and verification */
    uint64_t impacts;
    uint64_t surface_impacts;
    uint64_t largest_group;
    uint64_t joined;  /* bodies that joined groups while these were simulated, in all rounds (bystanders.h) */
    uint64_t unusual; /* paths that ended a window held, or with a motion that is not usual (bodies.h) */
    double seconds[CAROM_STEP_PHASE_COUNT]; /* NEIGHBOURS to END */
} carom_impacts_work;

/* Zero-initialise before the first use. */
typedef struct carom_impacts_step {
    carom_window window;
    carom_search search;
    carom_impacts_events events; /* of the last step, in order; events.list is of carom_impacts_event */
    carom_buffer active_buffer;
    carom_buffer count_buffer;
    carom_buffer mark_buffer;
    carom_buffer worker_buffer;
    uint32_t windows;  /* equal ones to cut a step into; 0: as many as it needs */
    uint32_t chunk;    /* groups of each worker to simulate before they are verified; 0: as many as the cache holds */
    uint32_t at_once;  /* impacts of the first moment that end hulls with it; 0: as many as make that worth while */
    uint32_t row_long; /* entries beyond which a row is long; 0: CAROM_ROW_LONG */
    uint32_t steps;    /* that hulls last which are made when a step begins; 0: as many as pay */
    bool tight;        /* all hulls are; false: those for which it pays */
    bool report_only;  /* nothing responds: events are what would happen first of each pair, image and surface */
    bool count_only;   /* no events, only their numbers */
    double length;     /* of the time that the next search is for, in steps; 0: there was none */
    double reach;      /* in steps, until there are as many impacts as a search should be for; 0: nobody knows */
    double share;      /* of the usual impacts that the next window should have; 0: there was none */
    double longest;    /* that the next window of a step may be, in steps */
    carom_impacts_work work;
} carom_impacts_step;

#endif
