/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A search for a distance that begins with the points of the search before, of the same shapes in other poses. */
#ifndef CAROM_NARROW_WARM_H
#define CAROM_NARROW_WARM_H

#include "kernel/narrow/advance.h"

/* Sets the bracket so that carom_simd's gjk goes on from the points in `seen`, and looks along `direction` first. i and k
 * are the poses now, k at the origin. `bracket` may be that of `seen`. */
void carom_warm_start(const carom_view *seen, const carom_posed *i, const carom_posed *k, const double direction[3],
                      carom_bracket *bracket);

/* The points are rounded once more. No point is farther from the exact core than by this, beside what a search that
 * begins with none allows for. */
double carom_warm_error(const carom_posed *i, const carom_posed *k);

#endif
