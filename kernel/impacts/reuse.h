/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hulls and rows of one step that serve the next ones too. Where bodies move little in a step, a search for several
 * steps finds little more than one for a single step. Nothing but time depends on it: a step that is served predicts
 * all impacts from its own bodies, and looks first whether each stays in its hull. */
#ifndef CAROM_IMPACTS_REUSE_H
#define CAROM_IMPACTS_REUSE_H

#include "kernel/impacts/run.h"

/* When a step begins: whether the hulls that there are serve it. If so they are ready, with all coarse paths; else a
 * search is due. */
bool carom_reuse_serves(carom_run *run);

/* Predicts the impacts of a step that they serve. */
void carom_reuse_predict(const carom_search *search, const carom_team *team, carom_window *window);

/* Whether the pairs of the body in a slot are looked at anew. */
static inline bool carom_reuse_has_changed(const carom_reuse *reuse, uint32_t slot) {
    return (reuse->changed[slot / 64] >> slot % 64 & 1) != 0;
}

/* Hulls have been made when the step began: `whole`, until its end or longer. */
void carom_reuse_note(const carom_run *run, bool whole);

/* A step has succeeded. Lets the hulls serve the next one if they last. */
void carom_reuse_keep(const carom_run *run);

#endif
