/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/impacts/shift.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/check/assert.h"

/* Codes have up to this many edges on three axes. */
static const double EDGES_MOST = 3.0 * (CAROM_IMAGE_MOST + 1);
/* The caller's edges in one of the reduced basis: of fewer the codes of the caller's edges reach the neighbours. */
static const double TILT = 12.0;

bool carom_shift_is_tilted(const carom_lattice *lattice) {
    double most = 0.0;
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        for (int a = 0; a < 3; a++) {
            most = fmax(most, fabs(lattice->multiple[b][a]));
        }
    }
    return most > TILT && EDGES_MOST * most <= (double)INT32_MAX;
}

carom_periodic carom_shift_reduced(const carom_lattice *lattice) {
    carom_periodic box = carom_periodic_default();
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        box.along[b] = true;
        for (int a = 0; a < 3; a++) {
            box.edge[b][a] = lattice->edge[b][a];
        }
    }
    return box;
}

void carom_shift_edges(const carom_lattice *lattice, uint32_t code, int32_t edges[3]) {
    int32_t steps[3];
    double number[3];
    carom_image_edges(code, steps);
    carom_lattice_numbers(lattice, (double[3]){steps[0], steps[1], steps[2]}, number);
    for (int a = 0; a < 3; a++) {
        CAROM_ASSERT(fabs(number[a]) <= (double)INT32_MAX);
        edges[a] = (int32_t)number[a];
    }
}

carom_pair_image carom_shift_image(const carom_lattice *lattice, uint32_t code) {
    carom_pair_image image = {.code = code};
    int32_t edges[3];
    bool near = true;
    carom_shift_edges(lattice, code, edges);
    for (int e = 0; e < 3; e++) {
        near = near && abs(edges[e]) <= CAROM_IMAGE_MOST;
    }
    if (!near) {
        carom_lattice_displacement(lattice, (double[3]){edges[0], edges[1], edges[2]}, image.shift);
        return image;
    }
    carom_image_shift(lattice->caller, edges, image.shift);
    return image;
}

bool carom_shift_precedes(const carom_lattice *lattice, uint32_t a, uint32_t b) {
    int32_t edges[2][3];
    carom_shift_edges(lattice, a, edges[0]);
    carom_shift_edges(lattice, b, edges[1]);
    for (int e = 0; e < 3; e++) {
        if (edges[0][e] != edges[1][e]) {
            return edges[0][e] < edges[1][e];
        }
    }
    return false;
}
