/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a position. Out: the same in the box. */
#include "kernel/world/wrap.h"

static double most_of(const double number[3]) {
    double most = 0.0;
    for (int a = 0; a < 3; a++) {
        most = fabs(number[a]) > most ? fabs(number[a]) : most;
    }
    return most;
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
