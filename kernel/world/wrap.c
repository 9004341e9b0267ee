/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a position. Out: the same in the box. */
#include "kernel/world/wrap.h"

#include <math.h>

/* Whether the numbers of edges are those of a place in the box: most are. */
static bool is_inside(const double number[3]) {
    bool inside = true;
    for (int a = 0; a < 3; a++) {
        inside = inside && number[a] >= 0.0 && number[a] < 1.0;
    }
    return inside;
}

static double most_of(const double number[3]) {
    double most = 0.0;
    for (int a = 0; a < 3; a++) {
        most = fabs(number[a]) > most ? fabs(number[a]) : most;
    }
    return most;
}

double carom_wrap_position(const carom_lattice *lattice, double x[3]) {
    double reduced[3] = {0.0, 0.0, 0.0};
    double number[3];
    double displacement[3];
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        const double *dual = lattice->dual[b];
        reduced[b] = dual[0] * x[0] + dual[1] * x[1] + dual[2] * x[2];
    }
    carom_lattice_numbers(lattice, reduced, number);
    if (is_inside(number) || !isfinite(number[0]) || !isfinite(number[1]) || !isfinite(number[2])) {
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
