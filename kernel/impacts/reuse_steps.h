/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whether hulls should last longer than a step, and how long. The answer decides how fast steps are, and nothing else.
 */
#ifndef CAROM_IMPACTS_REUSE_STEPS_H
#define CAROM_IMPACTS_REUSE_STEPS_H

#include "kernel/impacts/search.h"

/* Whether hulls that are made now may serve later steps. A filter may change, unless somebody would know. Bodies that
 * cross a face of a periodic box would have other surfaces near them. */
bool carom_reuse_steps_may_last(const carom_impacts_bodies *bodies);

/* For how many steps hulls should be made when a step begins. */
uint32_t carom_reuse_steps_choose(carom_search *search, const carom_impacts_bodies *bodies);

#endif
