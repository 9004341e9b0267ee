/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that have left their fat boxes. In: which bodies. Out: larger fat boxes, and more pairs at the end of the
 * list. A fat box only grows between rebuilds, and a pair is on the list if and only if its fat boxes overlap. So a box
 * that grows brings exactly the pairs that it overlaps now and did not before; no pair is listed twice. */
#ifndef CAROM_COHERENT_ESCAPE_TMPL_H
#define CAROM_COHERENT_ESCAPE_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_escape_grow CAROM_REAL(carom_escape_grow)
#define carom_escape_grow_body CAROM_REAL(carom_escape_grow_body)
#define carom_escape_extend CAROM_REAL(carom_escape_extend)

/* Gives larger fat boxes to the first `escaped` bodies of ESCAPED, which ascend. False: a rebuild is cheaper, or the
 * list is full; then some fat boxes may have grown, and the list is still valid. */
bool carom_escape_grow(carom_coherent_step *step, uint64_t escaped);

/* The same for body n alone, which is *body where its fat box is. */
bool carom_escape_grow_body(carom_coherent *state, const carom_record *body, uint32_t n);
/* The body extended along its path: by its box pairs are listed. */
void carom_escape_extend(const carom_coherent *state, const carom_record *body, carom_record *extended);

#endif
