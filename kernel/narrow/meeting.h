/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which children of a moving compound may meet another shape in the step, by the compound's balls. Those that are ruled
 * out are pairs whose bounding spheres carom_approach_spheres finds apart: a search for them would end before it began.
 */
#ifndef CAROM_NARROW_MEETING_H
#define CAROM_NARROW_MEETING_H

#include "kernel/narrow/approach.h"
#include "kernel/narrow/choice.h"

/* What goes for all pairs of children of two bodies: how the compound turns in the step. */
typedef struct carom_meeting {
    const carom_moving *whole; /* the compound, which has balls */
    const carom_moving *other;
    double margin;
    double start[3][3]; /* rotation of the compound at t = 0 */
    double way[3][3];   /* in its frame at t = 0, the end of a child's straight way is at + way at */
    double sizes;       /* no length of the pair is greater */
    double error;       /* no position is off by more, relative to the other body */
} carom_meeting;

void carom_meeting_make(const carom_moving *whole, const carom_moving *other, double margin, carom_meeting *meeting);

/* Chooses from child `begin` on those that may touch one of the other body's convex shapes before `end`. */
void carom_meeting_choose(const carom_meeting *meeting, const carom_track *track, double end, uint32_t begin,
                          carom_choice *choice);

#endif
