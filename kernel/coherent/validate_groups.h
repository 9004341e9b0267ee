/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A check of the groups. In: a state whose groups are linked. Out: NULL, or what is wrong. Checked builds and unit
 * tests only. */
#ifndef CAROM_COHERENT_VALIDATE_GROUPS_H
#define CAROM_COHERENT_VALIDATE_GROUPS_H

#include "kernel/coherent/state.h"

/* After an update of groups, before the touching bits change: rings, roots, sizes, labels and degrees agree with one
 * another and with the pairs that touch. O(bodies + pairs). */
const char *carom_coherent_groups_validate(const carom_coherent *state);

#endif
