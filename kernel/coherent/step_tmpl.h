/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step while it runs, shared by the files of this room: the job of cold detection, whose workers, rows and results
 * it uses, beside what is kept from step to step. */
#ifndef CAROM_COHERENT_STEP_TMPL_H
#define CAROM_COHERENT_STEP_TMPL_H

#include "kernel/coherent/state.h"
#include "kernel/detect/job/job_tmpl.h"

typedef struct carom_coherent_step {
    carom_detect_job *job;
    carom_coherent *state;
    carom_coherent_report *report;
    double centre[3]; /* of this step's scene, as cold detection would choose it; doubles' boxes are relative to it */
    double length;    /* range of the low corners on the sweep axis, without outliers, in the caller's unit; set by a
                         rebuild */
    uint64_t escape_limit; /* with more bodies outside their fat boxes there will be a rebuild */
    uint64_t candidates;   /* pairs of the list that this step builds, once they are counted; else 0 */
    bool cold;             /* the step has no list */
    bool in_set;           /* the step is cold, and its touching pairs are in SET */
    bool relabelled;       /* all groups were labelled anew */
} carom_coherent_step;

/* Bodies moved between two looks at how many have escaped. */
enum { CAROM_COHERENT_BATCH = 4096 };

#endif
