/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The steps of a run: what goes in is a world and where its impacts and frames go, what comes out are sums over all
 * steps. */
#ifndef CAROM_CLI_RUN_LOOP_H
#define CAROM_CLI_RUN_LOOP_H

#include "kernel/cli/run_impacts.h"
#include "kernel/cli/run_world.h"
#include "kernel/io/trajectory.h"

/* What the steps did. Zero-initialise. */
typedef struct carom_run_measured {
    uint64_t steps;           /* that were taken */
    int interrupted;          /* the signal that came before all steps were taken, SIGINT or SIGTERM; 0: none */
    uint64_t impacts;         /* of bodies and with surfaces; or pairs that touched */
    uint64_t surface_impacts; /* of these, impacts with surfaces */
    uint64_t held;            /* bodies that were held, summed over steps */
    uint64_t merged;          /* bodies that disappeared */
    double seconds;           /* in the calls that step */
    double phase_seconds[CAROM_STEP_PHASE_COUNT];
    double *step_seconds; /* of each step that was taken */
    uint64_t room;        /* of it */
    carom_world_totals before;
    carom_world_totals after;
} carom_run_measured;

/* Zero-initialise, then set the fields above `view`. */
typedef struct carom_run_loop {
    carom_run_world *world;
    const carom_step_config *config; /* of the world; its sink is `impacts` if it has one */
    uint64_t steps;                  /* to take */
    uint64_t every;                  /* steps from frame to frame */
    carom_trajectory *trajectory;    /* NULL: no frames */
    carom_run_impacts *impacts;
    carom_run_view view; /* of the last time that bodies were read */
    carom_run_roster roster;
    double started; /* on the clock */
    double shown;   /* the same, the last progress line */
} carom_run_loop;

/* Takes the steps, or those until Ctrl-C or one that fails. Errors: as of carom_world_step, FILE, MEMORY; *number then
 * is the step that failed. */
carom_status carom_run_loop_steps(carom_run_loop *loop, carom_run_measured *measured, uint64_t *number,
                                  carom_error *error);

/* Reads the bodies after the last step into `view`, and what they come to. Errors: MEMORY. */
carom_status carom_run_loop_end(carom_run_loop *loop, carom_run_measured *measured, carom_error *error);

/* Bodies as writers take them, from the loop's view, after `steps` steps. */
carom_moment carom_run_loop_moment(const carom_run_loop *loop, uint64_t steps);

void carom_run_loop_release(carom_run_loop *loop, carom_run_measured *measured);

#endif
