/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a position. Out: the same in the box. */
#include "kernel/world/wrap.h"

#include <math.h>

void carom_wrap_position(const carom_lattice *lattice, double x[3]) {
    double reduced[3] = {0.0, 0.0, 0.0};
    double number[3];
    double displacement[3];
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        const double *dual = lattice->dual[b];
        reduced[b] = dual[0] * x[0] + dual[1] * x[1] + dual[2] * x[2];
    }
    carom_lattice_numbers(lattice, reduced, number);
    const double most = fmax(fabs(number[0]), fmax(fabs(number[1]), fabs(number[2])));
    for (int a = 0; a < 3; a++) {
        number[a] = floor(number[a]);
    }
    if (!isfinite(most) || (number[0] == 0.0 && number[1] == 0.0 && number[2] == 0.0)) {
        return;
    }
    carom_lattice_displacement(lattice, number, displacement);
    for (int a = 0; a < 3; a++) {
        x[a] -= displacement[a];
    }
}
