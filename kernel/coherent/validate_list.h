/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Checks of the list and of its touching bits. In: a state that is built. Out: NULL, or what is wrong. Checked builds
 * and unit tests only. */
#ifndef CAROM_COHERENT_VALIDATE_LIST_H
#define CAROM_COHERENT_VALIDATE_LIST_H

#include "kernel/coherent/state.h"

/* Every pair has its larger slot first and is listed once; the ordered part ascends, and `start` says where the pairs
 * of each slot are. */
const char *carom_coherent_list_validate(const carom_coherent *state);
/* No bit is set beyond the list. */
const char *carom_coherent_touching_validate(const carom_coherent *state);
#endif
