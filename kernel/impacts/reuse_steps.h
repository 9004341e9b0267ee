/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whether hulls should last longer than a step, and how long. The answer decides how fast steps are, and nothing else.
 */
#ifndef CAROM_IMPACTS_REUSE_STEPS_H
#define CAROM_IMPACTS_REUSE_STEPS_H

#include "kernel/impacts/search.h"

/* Whether the bodies are such that hulls may serve several steps. They are not where a caller's filter or function says
 * which pairs collide, for that may change between steps (bodies->owned); nor in a periodic box with surfaces, for
 * bodies that cross a face have others near them; nor in one of reduced edges. */
bool carom_reuse_steps_may_last(const carom_impacts_bodies *bodies);

/* Whether bodies go on as they were from step to step, but for impacts, if nobody changes them. */
bool carom_reuse_may_coast(const carom_impacts_bodies *bodies);

/* For how many steps hulls should be made when a step begins, that one included. `forced`: for so many, or as many as
 * they may be for; 0: for as many as pay. */
uint32_t carom_reuse_steps_choose(carom_search *search, const carom_impacts_bodies *bodies, uint32_t forced);

/* Searches that pass at most before hulls are tried again that did not pay. */
enum { CAROM_REUSE_WAIT_MOST = 64 };

/* How many pass if so many passed the last time: twice as many. */
static inline uint32_t carom_reuse_wait_after(uint32_t waited) {
    const uint32_t longer = 2 * waited + 1;
    return longer < CAROM_REUSE_WAIT_MOST ? longer : CAROM_REUSE_WAIT_MOST;
}

/* After a search for reuse->steps steps: how dear that was, and whether to try so many again. */
void carom_reuse_steps_note(carom_reuse *reuse, const carom_impacts_bodies *bodies);

#endif
