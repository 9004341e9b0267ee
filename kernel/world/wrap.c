/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a position. Out: the same in the box. */
#include "kernel/world/wrap.h"

/* Two such numbers and the shift of a pair add up to 32 bits. */
static const double MOVED_MOST = 0x1p29;

static double most_of(const double number[3]) {
    double most = 0.0;
    for (int a = 0; a < 3; a++) {
        most = fabs(number[a]) > most ? fabs(number[a]) : most;
    }
    return most;
}

void carom_wrap_reduced(const carom_lattice *lattice, double x[3], int32_t moved[3]) {
    double reduced[3];
    double number[3];
    double displacement[3];
    bool fits = true;
    carom_wrap_place(lattice, x, reduced);
    for (int a = 0; a < 3; a++) {
        reduced[a] = floor(reduced[a]);
    }
    carom_lattice_numbers(lattice, reduced, number);
    for (int a = 0; a < 3; a++) {
        fits = fits && fabs(number[a]) <= MOVED_MOST;
    }
    for (int a = 0; a < 3; a++) {
        moved[a] = fits ? (int32_t)number[a] : 0;
    }
    if (fits) {
        carom_lattice_displacement(lattice, number, displacement);
    }
    for (int a = 0; a < 3 && fits; a++) {
        x[a] -= displacement[a];
    }
}

double carom_wrap_outside(const carom_lattice *lattice, double x[3]) {
    double number[3];
    double displacement[3];
    carom_wrap_numbers(lattice, x, number);
    if (!isfinite(number[0]) || !isfinite(number[1]) || !isfinite(number[2])) {
        return 0.0;
    }
    for (int a = 0; a < 3; a++) {
        number[a] = floor(number[a]);
    }
    carom_lattice_displacement(lattice, number, displacement);
    for (int a = 0; a < 3; a++) {
        x[a] -= displacement[a];
    }
    return most_of(number);
}
