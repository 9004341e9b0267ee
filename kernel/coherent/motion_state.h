/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How bodies move, as far as steps ahead and margin depend on it. */
#ifndef CAROM_COHERENT_MOTION_STATE_H
#define CAROM_COHERENT_MOTION_STATE_H

#include <stdint.h>

/* Means over a sample without its greatest few, each along the axis where a body goes farthest. In the caller's unit of
 * length, >= 0. */
typedef struct carom_coherent_motion {
    double within;  /* displacement in a step, prev to curr */
    double between; /* from curr in the last step that succeeded to curr in this one; 0: there was none of as many
                       bodies */
    double extent;  /* of the swept box */
} carom_coherent_motion;

/* The way that a body goes from one step to the next. */
static inline double carom_motion_pace(const carom_coherent_motion *motion) {
    return motion->within > motion->between ? motion->within : motion->between;
}

/* Bodies whose positions are kept from step to step: these few cost next to nothing. */
enum { CAROM_MOTION_KEPT = 64 };

typedef struct carom_coherent_positions {
    uint64_t bodies; /* of which the sample was taken; 0: there is none */
    double curr[3][CAROM_MOTION_KEPT];
} carom_coherent_positions;

#endif
