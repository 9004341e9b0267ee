/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whether steps have a list. In: what the last list and steps cost, by their counts, and the bodies where a list would
 * be built. Out: a list or a cold step. Where the caller has fixed the steps ahead, steps always have a list. */
#ifndef CAROM_COHERENT_CHOOSE_TMPL_H
#define CAROM_COHERENT_CHOOSE_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_choose_cold CAROM_REAL(carom_choose_cold)
#define carom_choose_list CAROM_REAL(carom_choose_list)
#define carom_choose_learn CAROM_REAL(carom_choose_learn)
#define carom_choose_account CAROM_REAL(carom_choose_account)

/* Before a step looks at its bodies: whether it is cold. */
bool carom_choose_cold(carom_coherent *state);
/* Where a list must be built, for bodies that have been surveyed: whether it is likely to pay. If not, steps are cold
 * from here on. */
bool carom_choose_list(carom_coherent_step *step);
/* After a rebuild: how many pairs the list has, against what was expected. */
void carom_choose_learn(carom_coherent_step *step);
/* After a step with a list. */
void carom_choose_account(carom_coherent_step *step);

#endif
