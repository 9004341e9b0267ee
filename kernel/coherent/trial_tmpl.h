/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A trial: what a list would cost, while steps are cold. In: bodies of a step, and the counts of a cold one. Out: the
 * costs in the lookahead, as if there were a list. A sample of bodies gets fat boxes and is checked against them like
 * all bodies of a real list; the pairs of such a list are estimated from the sides of the boxes. So the steps ahead are
 * learned, and a list is built when one would have paid, at a price of some microseconds a step. */
#ifndef CAROM_COHERENT_TRIAL_TMPL_H
#define CAROM_COHERENT_TRIAL_TMPL_H

#include "kernel/coherent/state.h"
#include "simd/precision.h"

#define carom_trial_start CAROM_REAL(carom_trial_start)
#define carom_trial_escape CAROM_REAL(carom_trial_escape)
#define carom_trial_has_slowed CAROM_REAL(carom_trial_has_slowed)

/* Starts a trial with the bodies of this step, at least one: chooses steps ahead and margin, and counts a rebuild in
 * the lookahead. box_pairs: overlapping pairs of a step. */
void carom_trial_start(carom_coherent *state, const carom_bodies *bodies, const carom_prices *prices, double box_pairs);
/* Gives larger boxes to the bodies that have left theirs. Returns how many of all bodies these stand for. */
double carom_trial_escape(carom_coherent *state, const carom_bodies *bodies);
/* Pairs on the list that the trial stands for, in a step with so many overlapping pairs. */
static inline double carom_trial_pairs(const carom_coherent_trial *trial, double box_pairs) {
    const double growth = trial->growth * (trial->estimate > 0.0 ? trial->estimate : 1.0);
    return box_pairs * (growth > 1.0 ? growth : 1.0);
}
/* Whether most bodies go less than half as far in this step as in the one that the trial began with. */
bool carom_trial_has_slowed(const carom_coherent *state, const carom_bodies *bodies);

#endif
