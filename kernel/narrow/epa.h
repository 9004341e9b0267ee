/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depth of two cores after van den Bergen (2001), by an expanding polytope. */
#ifndef CAROM_NARROW_EPA_H
#define CAROM_NARROW_EPA_H

#include "kernel/narrow/gjk.h"

/* Continues a search that ended in points around or at the origin (bracket->closest): improves the bracket until the
 * goal is reached or no progress is made. `upper` becomes less than 0 where an inner polytope proves that depth.
 * bracket->closest becomes the face that is closest to the origin, with the weights of its closest point.
 *
 * False if the cores are apart after all: the face then is a simplex for carom_gjk to go on with. */
bool carom_epa(const carom_difference *difference, const carom_goal *goal, carom_bracket *bracket);

#endif
