/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Takes the impacts of a run's steps as they come: into the file of events, into the rows of the next frame, and into
 * the virial. */
#ifndef CAROM_CLI_RUN_IMPACTS_H
#define CAROM_CLI_RUN_IMPACTS_H

#include "kernel/cli/run_roster.h"
#include "kernel/io/events.h"

/* Zero-initialise before the first use. */
typedef struct carom_run_impacts {
    const carom_run_roster *roster; /* of the bodies before the step */
    uint64_t step;                  /* that is under way, from 0 */
    double dt;                      /* length of a step */
    double virial;                  /* sum over impacts between bodies of impulse times distance of the centres */
    bool writes;                    /* `file` is open */
    carom_events file;
    bool keeps;            /* rows are kept until the next frame */
    carom_impact_row *row; /* since the last frame, or of the last block */
    uint64_t count;
    uint64_t room;
    carom_status status; /* not OK: a block could not be taken, and `error` says why */
    carom_error error;
} carom_run_impacts;

/* Takes a block of events: a carom_event_sink, whose user is a carom_run_impacts. */
carom_event_sink carom_run_impacts_take;

/* Forgets the rows: a frame has them. */
void carom_run_impacts_empty(carom_run_impacts *impacts);

void carom_run_impacts_release(carom_run_impacts *impacts);

#endif
