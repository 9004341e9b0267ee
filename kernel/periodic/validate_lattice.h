/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A check of a lattice. In: a finished lattice. Out: NULL, or a sentence that says what is wrong. Checked builds and
 * unit tests only. */
#ifndef CAROM_PERIODIC_VALIDATE_LATTICE_H
#define CAROM_PERIODIC_VALIDATE_LATTICE_H

#include "kernel/periodic/lattice.h"

/* Edges of the basis are the whole multiples of the caller's edges that it says, to rounding; the dual times the basis
 * is the identity, to rounding; edges are in order of length. */
const char *carom_lattice_validate(const carom_lattice *lattice);

#endif
