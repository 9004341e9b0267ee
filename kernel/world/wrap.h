/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Brings bodies that have left a periodic box into it. The box has a corner at the origin. */
#ifndef CAROM_WORLD_WRAP_H
#define CAROM_WORLD_WRAP_H

#include <math.h>
#include <stdbool.h>

#include "kernel/periodic/lattice.h"

/* Where a position is in the lattice, in reduced edges; 0 where space is open. */
static inline void carom_wrap_place(const carom_lattice *lattice, const double x[3], double reduced[3]) {
    for (uint32_t b = 0; b < 3; b++) {
        const double *dual = lattice->dual[b];
        reduced[b] = b < lattice->dimensions ? dual[0] * x[0] + dual[1] * x[1] + dual[2] * x[2] : 0.0;
    }
}

/* Where a position is, in edges of the box. */
static inline void carom_wrap_numbers(const carom_lattice *lattice, const double x[3], double number[3]) {
    double reduced[3];
    carom_wrap_place(lattice, x, reduced);
    carom_lattice_numbers(lattice, reduced, number);
}

/* Whether these are numbers of a place in the box. */
static inline bool carom_wrap_is_inside(const double number[3]) {
    return number[0] >= 0.0 && number[0] < 1.0 && number[1] >= 0.0 && number[1] < 1.0 && number[2] >= 0.0 &&
           number[2] < 1.0;
}

/* carom_wrap_position of a position that is not in the box. */
double carom_wrap_outside(const carom_lattice *lattice, double x[3]);

/* Takes whole edges from a position, so that its coordinates along the edges are 0 to 1 but for rounding; returns how
 * many of one edge at most. One that is in the box, as most are, or is not finite, keeps its bits. */
static inline double carom_wrap_position(const carom_lattice *lattice, double x[3]) {
    double number[3];
    carom_wrap_numbers(lattice, x, number);
    return carom_wrap_is_inside(number) ? 0.0 : carom_wrap_outside(lattice, x);
}

/* The same with the cell of the reduced edges. moved: of the caller's edges, how many were taken; 0 of a position that
 * is not finite, or would need numbers that do not fit. */
void carom_wrap_reduced(const carom_lattice *lattice, double x[3], int32_t moved[3]);

#endif
