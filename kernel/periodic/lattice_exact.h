/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a lattice needs from exact arithmetic: whether edges are independent, and sums of edges that nearly cancel. Both
 * use integers as wide as the numbers need, on the stack. */
#ifndef CAROM_PERIODIC_LATTICE_EXACT_H
#define CAROM_PERIODIC_LATTICE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the first `dimensions` edges, 1 to 3 of finite numbers, are linearly independent. */
bool carom_lattice_exact_independent(const double edge[3][3], uint32_t dimensions);

/* whole[0] x[0] + whole[1] x[1] + whole[2] x[2], computed without rounding and then rounded once, to the nearest
 * double: infinite if it is too large for one. whole: finite whole numbers; x: finite numbers. *exact says whether the
 * last rounding changed nothing. */
double carom_lattice_exact_sum(const double whole[3], const double x[3], bool *exact);

#endif
