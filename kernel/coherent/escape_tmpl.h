/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that have left their fat boxes. In: their numbers. Out: larger fat boxes, and more pairs on the list. */
#ifndef CAROM_COHERENT_ESCAPE_TMPL_H
#define CAROM_COHERENT_ESCAPE_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_escape_grow CAROM_REAL(carom_escape_grow)

/* Gives bodies found outside their fat boxes (sorted, in ESCAPED) larger ones. False: a rebuild is cheaper. */
bool carom_escape_grow(carom_coherent_step *step, uint64_t escaped);

#endif
