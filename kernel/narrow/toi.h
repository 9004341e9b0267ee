/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Time of impact of two moving bodies, for the library's own use (carom/toi.h says what it is). All in double, for both
 * precisions.
 *
 * In: two moving bodies of any kinds that carom_gap_has tests, or compounds of such. Half-spaces and lines do not
 * rotate. Positions may be relative to any common origin; best is body k's, by one subtraction an axis (then k->at is
 * 0). Positions and ways are taken as rounded by 2^-53 of themselves. */
#ifndef CAROM_NARROW_TOI_H
#define CAROM_NARROW_TOI_H

#include "kernel/narrow/impact.h"
#include "kernel/shape/motion.h"

void carom_toi_find(const carom_moving *i, const carom_moving *k, const carom_toi_task *task, carom_toi_found *found);

#endif
