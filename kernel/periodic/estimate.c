/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How many images a scene may have, from the box and the numbers of bodies and pairs alone. A sphere of radius `reach`
 * around a body holds on average as many others as it touches. Bodies have an image if they lie within a multiple of
 * that reach from a face. */
#include <math.h>

#include "kernel/periodic/images.h"

/* Distance from a face, in reaches, within which a body has an image. Scenes of equal bodies have 0.85 to 1.42. */
static const double REACHES = 1.45;
/* More images, as a share of the bodies: a few large or fast bodies give images to others. */
static const double MORE = 9.0 / 64.0;
/* Boxes of few bodies no more reaches wide than this along two of their edges may be swept along the third. */
static const double COLUMN_REACHES = 10.0;
enum { COLUMN_BODIES = 1 << 15 };
static const double PI = 3.14159265358979323846;

/* Distance between the two faces that edge b joins. */
static double width_of(const carom_lattice *lattice, uint32_t b) {
    const double *dual = lattice->dual[b];
    return 1.0 / sqrt(dual[0] * dual[0] + dual[1] * dual[1] + dual[2] * dual[2]);
}

/* Volume of the box; along open axes it is taken to be as long as its longest edge. */
static double volume_of(const carom_lattice *lattice) {
    const uint32_t last = lattice->dimensions - 1;
    double volume = 1.0;
    for (uint32_t b = 0; b < 3; b++) {
        volume *= width_of(lattice, b <= last ? b : last);
    }
    return volume;
}

/* A sphere of this radius around a body holds as many others as it touches. */
static double reach_of(const carom_lattice *lattice, uint64_t owned, uint64_t pairs) {
    const double bodies = fmax((double)owned, 1.0);
    const double others = 2.0 * (double)pairs / bodies;
    return cbrt(others * volume_of(lattice) / bodies / (4.0 / 3.0 * PI));
}

uint64_t carom_images_estimate(const carom_lattice *lattice, uint64_t owned, uint64_t pairs) {
    const double reach = reach_of(lattice, owned, pairs);
    double around = 1.0; /* the box with what surrounds it, in boxes */
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        around *= 1.0 + 2.0 * REACHES * reach / width_of(lattice, b);
    }
    const double images = (double)owned * ((around - 1.0) / 2.0 + MORE);
    const double most = (double)(CAROM_BODIES_MAX - owned);
    return images < most ? (uint64_t)images : CAROM_BODIES_MAX - owned;
}

bool carom_images_in_column(const carom_lattice *lattice, uint64_t owned, uint64_t pairs) {
    const double most = COLUMN_REACHES * reach_of(lattice, owned, pairs);
    uint32_t narrow = 0;
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        narrow += width_of(lattice, b) < most;
    }
    return owned <= COLUMN_BODIES && narrow >= 2;
}
