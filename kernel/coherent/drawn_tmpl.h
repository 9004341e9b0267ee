/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies drawn out along their paths: fat boxes are their swept boxes. */
#ifndef CAROM_COHERENT_DRAWN_TMPL_H
#define CAROM_COHERENT_DRAWN_TMPL_H

#include "kernel/coherent/state.h"
#include "simd/precision.h"

#define carom_drawn_bytes CAROM_REAL(carom_drawn_bytes)
#define carom_drawn_view CAROM_REAL(carom_drawn_view)
#define carom_drawn_make CAROM_REAL(carom_drawn_make)
#define carom_drawn_sample CAROM_REAL(carom_drawn_sample)

/* Bodies drawn out along their paths: fat boxes are the swept boxes of these. For doubles there are two radii: fat
 * boxes must hold with room to spare for boxes taken from another centre. */
typedef struct carom_drawn {
    carom_bodies bodies; /* as checked */
    carom_real *curr[3];
    carom_real *radius;
    carom_real *wide_radius; /* as listed; the same array for floats */
} carom_drawn;

uint64_t carom_drawn_bytes(uint64_t count);
carom_drawn carom_drawn_view(void *block, const carom_bodies *bodies);
/* Draws out bodies [begin, end). */
void carom_drawn_make(const carom_coherent *state, const carom_bodies *bodies, uint64_t begin, uint64_t end,
                      const carom_drawn *drawn);
/* Means from a sample without its greatest few: way in the step, and extent of the swept box, along the axis where
 * they are greatest. */
void carom_drawn_sample(const carom_bodies *bodies, double *displacement, double *extent);

#endif
