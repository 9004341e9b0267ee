/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two hulls, and where a search for their distance in floats has ended. Out: a bracket at which the search in
 * double begins: with that simplex and direction. It says nothing yet that is not certain. */
#ifndef CAROM_NARROW_SEEK_START_H
#define CAROM_NARROW_SEEK_START_H

#include "simd/convex.h"
#include "simd/seek_floats.h"

/* *bracket is 0. Without a search it stays so; without a direction or a point only `overlap` is set. */
void carom_seek_start_take(const carom_posed *i, const carom_posed *k, const carom_seek_start *start,
                           carom_bracket *bracket);

#endif
