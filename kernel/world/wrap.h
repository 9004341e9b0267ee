/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Brings bodies that have left a periodic box into it. The box has a corner at the origin. */
#ifndef CAROM_WORLD_WRAP_H
#define CAROM_WORLD_WRAP_H

#include "kernel/periodic/lattice.h"

/* Takes whole edges from a position, so that its coordinates along the edges are 0 to 1 but for rounding; returns how
 * many of one edge at most. One that is in the box, or is not finite, keeps its bits. */
double carom_wrap_position(const carom_lattice *lattice, double x[3]);

/* The same with the cell of the reduced edges. moved: of the caller's edges, how many were taken; 0 of a position that
 * is not finite, or would need numbers that do not fit. */
void carom_wrap_reduced(const carom_lattice *lattice, double x[3], int32_t moved[3]);

#endif
