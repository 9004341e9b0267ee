/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes inside the fat boxes, with sides of 16 bits. In: the fat boxes. Out: the inner boxes. A body inside its inner
 * box is inside its fat box, and a step then reads half of the bytes; bytes are what a step waits for. A side of a fat
 * box is rounded inward to a multiple of a step of 1/65535 of the scene. Where such steps are too coarse for the
 * margin, there are no inner boxes. */
#ifndef CAROM_COHERENT_INNER_H
#define CAROM_COHERENT_INNER_H

#include "kernel/coherent/index.h"
#include "kernel/coherent/state.h"

/* Bytes of INNER. */
uint64_t carom_coherent_inner_bytes(uint64_t count);
/* After a rebuild: chooses the steps of the sides, or that there are no inner boxes. */
void carom_coherent_inner_start(carom_coherent *state, const carom_coherent_index *index);
/* Fills the inner boxes of bodies [begin, end) from their fat boxes, if there are any. */
void carom_coherent_inner_fill(const carom_coherent *state, uint64_t begin, uint64_t end);

#endif
