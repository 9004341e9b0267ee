/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes inside the fat boxes, of 16 bits a side. In: the fat boxes. Out: the inner boxes, if the margin allows any. */
#ifndef CAROM_COHERENT_INNER_H
#define CAROM_COHERENT_INNER_H

#include "kernel/coherent/index.h"
#include "kernel/coherent/state.h"

uint64_t carom_coherent_inner_bytes(uint64_t count);
/* Chooses the steps of sides for the fat boxes of a new list, or that there shall be no inner ones. */
void carom_coherent_inner_start(carom_coherent *state, const carom_coherent_index *index);
/* Fills in those of bodies [begin, end) from their fat boxes, if there are any. */
void carom_coherent_inner_fill(const carom_coherent *state, uint64_t begin, uint64_t end);

#endif
