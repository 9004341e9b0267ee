/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves bodies to their slots. In: the bodies of a step, order and fat boxes. Out: records in order of slots, and the
 * bodies outside their fat boxes. Both in one pass, because memory is what it waits for. Bodies with values that are
 * not finite never lie inside a fat box, so only escaped bodies are searched for them. */
#ifndef CAROM_COHERENT_FOLLOW_TMPL_H
#define CAROM_COHERENT_FOLLOW_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_follow_centre CAROM_REAL(carom_follow_centre)
#define carom_follow_bodies CAROM_REAL(carom_follow_bodies)
#define carom_follow_any_bad CAROM_REAL(carom_follow_any_bad)
#define carom_follow_range CAROM_REAL(carom_follow_range)

/* Computes the scene's centre of this step. Whether fat boxes still hold for it. For doubles; floats have no centre. */
bool carom_follow_centre(carom_coherent_step *step);
/* Moves all bodies. Returns how many are in ESCAPED, in ascending order. If there are more than step->escape_limit,
 * some bodies were neither moved nor checked. */
uint64_t carom_follow_bodies(carom_coherent_step *step);
/* Whether one of the escaped bodies has a value that is not finite, or a negative radius. */
bool carom_follow_any_bad(const carom_coherent_step *step, uint64_t escaped);

/* Moves bodies [begin, end) to their slots; returns how many have escaped, and lists them in `escaped`. */
uint32_t carom_follow_range(const carom_coherent_step *step, uint64_t begin, uint64_t end, uint32_t *escaped);

#endif
