/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies extended along their paths. In: the bodies of a step, and the lookahead. Out: bodies whose swept boxes are the
 * fat boxes. A body that goes straight on stays in the swept box of its extended self for as many steps as the
 * lookahead says. The margin, a larger radius, is for bodies that do not quite. Extending along the path costs far
 * fewer pairs than a margin that covers the fastest body on every side of every body. */
#ifndef CAROM_COHERENT_EXTENDED_TMPL_H
#define CAROM_COHERENT_EXTENDED_TMPL_H

#include "kernel/coherent/state.h"
#include "simd/layout.h"

#define carom_extended_bytes CAROM_REAL(carom_extended_bytes)
#define carom_extended_view CAROM_REAL(carom_extended_view)
#define carom_extended_fill CAROM_REAL(carom_extended_fill)

/* Greatest extension, in mean ones: a few fast bodies must not make wide cells for all. */
enum { CAROM_EXTENSION_MOST = 6 };

/* The extended bodies. Their prev is that of the caller's bodies, in its layout; all else is packed. In double
 * precision there are two radii. Steps check fat boxes with `radius`; pairs are listed by boxes with `list_radius`,
 * which are larger by what rounding can do when boxes are computed relative to another centre. Floats have no centre,
 * and one array is both. */
typedef struct carom_extended {
    carom_bodies bodies; /* with `radius` */
    carom_real *curr[3];
    carom_real *radius;
    carom_real *list_radius;
} carom_extended;

/* Bytes of the arrays, and the arrays in so many bytes of memory. */
uint64_t carom_extended_bytes(uint64_t count);
carom_extended carom_extended_view(void *memory, const carom_bodies *bodies);
/* Extends bodies [begin, end). */
void carom_extended_fill(const carom_coherent *state, const carom_bodies *bodies, uint64_t begin, uint64_t end,
                         const carom_extended *extended);

#endif
