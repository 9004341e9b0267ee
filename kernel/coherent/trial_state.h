/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a trial keeps: the fat boxes of a few bodies. */
#ifndef CAROM_COHERENT_TRIAL_STATE_H
#define CAROM_COHERENT_TRIAL_STATE_H

#include <stdint.h>

/* Bodies of a sample: runs of a few with neighbouring numbers, which share cache lines. A sample has one body in
 * SHARE, at most. */
enum { CAROM_TRIAL_RUN = 4, CAROM_TRIAL_RUNS = 64, CAROM_TRIAL_MOST = CAROM_TRIAL_RUN * CAROM_TRIAL_RUNS };
enum { CAROM_TRIAL_SHARE = 16 };

typedef struct carom_coherent_trial {
    uint32_t count;                 /* bodies of the sample; 0: there is no trial */
    uint32_t pause;                 /* cold steps before the next trial */
    double lo[3][CAROM_TRIAL_MOST]; /* fat boxes, in the caller's coordinates */
    double hi[3][CAROM_TRIAL_MOST];
    uint64_t bodies; /* of which the sample was taken */
    double growth;   /* pairs of fat boxes over pairs of swept boxes, estimated */
    double estimate; /* pairs on real lists over those estimated for them; 0: there was none */
} carom_coherent_trial;

#endif
