/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hulls and rows of one step that serve the next ones too. Where bodies move little in a step, a search for several
 * steps finds little more than one for a single step. Impacts do not depend on it, but times, memory and windows do.
 *
 * A step may go on with them if rows have all pairs whose hulls meet, and each body's path in this step lies in its
 * hull. The first is so when rows are made, and stays so: a hull that becomes another one looks for what it meets
 * (escape.c), or moves by whole edges of the box together with its row (crossing.c). The second is looked at when a
 * step begins.
 *
 * With prospects a step looks at hardly any body. What it relies on, in a world that nobody has changed since the step
 * before (carom_impacts_bodies.resumed) and that has no acceleration (carom_reuse_may_coast):
 * - Each body's path lies in its hull until this ends. Hulls are made so; after an impact they are widened so
 * (paths.c); and a look asks for it (held_until).
 * - Its coarse path goes on as it is: all are seen from hulls.frame.begin, which is one less in each step.
 * - A pair that may collide before the hulls end is a prospect, unless one of its bodies has changed (predictor.c).
 * Only bodies that were held, or brought into the periodic box, are looked at: their paths are others.
 *
 *     carom_reuse_serves   a step begins: they serve it, or a search makes others
 *     carom_reuse_note     after a search: what it was for
 *     carom_reuse_keep     a step has succeeded: how many steps they last still
 *
 * Any search, and any step that fails, ends what was kept. */
#ifndef CAROM_IMPACTS_REUSE_H
#define CAROM_IMPACTS_REUSE_H

#include "kernel/impacts/run.h"

/* When a step begins: whether the hulls that there are serve it. If so they are ready, with the coarse paths of all
 * bodies; else a search is due. */
bool carom_reuse_serves(carom_run *run);

/* Predicts the impacts of a step that hulls of another one serve. */
void carom_reuse_predict(const carom_search *search, const carom_team *team, carom_window *window);

/* Whether the pairs of the body in a slot are looked at anew. */
static inline bool carom_reuse_has_changed(const carom_reuse *reuse, uint32_t slot) {
    return (reuse->changed[slot / 64] >> slot % 64 & 1) != 0;
}

/* A search has made hulls. `whole`: when the step began, until its end or for more steps, and they are not tight. */
void carom_reuse_note(const carom_run *run, bool whole);

/* A step has succeeded. Lets the hulls serve the next one if they last. */
void carom_reuse_keep(const carom_run *run);

#endif
