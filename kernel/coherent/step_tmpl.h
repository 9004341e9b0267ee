/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One step of coherent detection while it runs, shared by its files. Included once for each precision. */
#ifndef CAROM_COHERENT_STEP_TMPL_H
#define CAROM_COHERENT_STEP_TMPL_H

#include "kernel/coherent/state.h"
#include "kernel/detect/job/job_tmpl.h"

typedef struct carom_coherent_step {
    carom_detect_job *job;
    carom_coherent *state;
    carom_coherent_report *report;
    double centre[3];      /* of this step's boxes, the one that cold detection would use */
    double length;         /* of the scene along its longest axis */
    uint64_t escaped_most; /* bodies outside their fat boxes: beyond so many they are not looked for any more */
    uint64_t candidates;   /* pairs of the list that this step builds, once they are counted; else 0 */
} carom_coherent_step;

/* Bodies moved between looks at how many have left their fat boxes. */
enum { CAROM_COHERENT_BLOCK = 4096 };

#endif
