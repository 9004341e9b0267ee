/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Shapes so far apart that the squares and products of the searches could overflow. Their distance is that of their
 * origins, but for their reaches, which are too small to matter. */
#ifndef CAROM_NARROW_FAR_H
#define CAROM_NARROW_FAR_H

#include "kernel/narrow/gap.h"

/* Whether the difference of two positions is too large for the searches. Shapes are at most 1e50 large, so their part
 * of such a distance is below 2^-70. */
bool carom_far_is(const double between[3]);

/* The bracket of two such shapes, which may be compounds. Unlike carom_gap_find it takes positions as they are in the
 * scene, and returns points there. */
void carom_far_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap);

#endif
