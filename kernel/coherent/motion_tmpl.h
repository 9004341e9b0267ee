/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Measures how bodies move. In: the bodies of a step. Out: means over a sample. Callers may give paths that end where
 * the next ones begin, or bodies at rest that have moved by the next step: both are seen. */
#ifndef CAROM_COHERENT_MOTION_TMPL_H
#define CAROM_COHERENT_MOTION_TMPL_H

#include "kernel/coherent/state.h"
#include "simd/precision.h"

#define carom_motion_measure CAROM_REAL(carom_motion_measure)
#define carom_motion_between CAROM_REAL(carom_motion_between)
#define carom_motion_keep CAROM_REAL(carom_motion_keep)

/* Of at least one body. */
carom_coherent_motion carom_motion_measure(const carom_coherent *state, const carom_bodies *bodies);
/* The part of it that needs the step before. */
double carom_motion_between(const carom_coherent *state, const carom_bodies *bodies);
/* After a step: these bodies become those of the step before. */
void carom_motion_keep(carom_coherent *state, const carom_bodies *bodies);

#endif
