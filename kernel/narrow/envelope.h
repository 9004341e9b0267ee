/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What two shapes sweep out as they spin: cylinders about their axes, which move in straight lines and do not rotate.
 * While these are apart the shapes are, whatever the spin. */
#ifndef CAROM_NARROW_ENVELOPE_H
#define CAROM_NARROW_ENVELOPE_H

#include "kernel/narrow/approach.h"

/* Points into itself, so it must not be copied. */
typedef struct carom_envelope {
    carom_approach pair;
    carom_moving body[2];
    carom_shape_entry cylinder[2];
} carom_envelope;

/* Puts cylinders in the place of shapes that turn by more than CAROM_ENVELOPE_TURN in `span` of the step. False, and
 * nothing is set, if neither does, or if one is a line, for which cylinders have no test. */
#define CAROM_ENVELOPE_TURN CAROM_TRACK_FAST
bool carom_envelope_make(const carom_approach *pair, double span, double margin, carom_envelope *envelope);

#endif
