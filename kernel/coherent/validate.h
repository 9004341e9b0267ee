/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Checks of what is kept from step to step. In: the state after a rebuild, or after the list was extended. Out: NULL,
 * or a sentence that says what is wrong. A fault in these structures loses pairs some steps later; here it has a name
 * at once. Checked builds and unit tests only. */
#ifndef CAROM_COHERENT_VALIDATE_H
#define CAROM_COHERENT_VALIDATE_H

#include "kernel/coherent/index.h"
#include "kernel/coherent/state.h"

/* All of the below and those of validate_list.h, for a state that is built. O(pairs log pairs + bodies). */
const char *carom_coherent_validate(const carom_coherent *state);

/* Slots and bodies are inverse permutations. */
const char *carom_coherent_order_validate(const carom_coherent *state);
/* Blocks contain their fat boxes, super-blocks their blocks. */
const char *carom_coherent_index_validate(const carom_coherent_index *index);
/* Boxes of the index contain the fat boxes of their bodies, and overlap where their pair is listed. Fat boxes contain
 * their inner boxes. */
const char *carom_coherent_boxes_validate(const carom_coherent *state);

#endif
