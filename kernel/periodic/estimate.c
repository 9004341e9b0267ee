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
/* With fewer images than this share of the bodies cells are always better than one sweep of the owned bodies. */
enum { CROWD_SHARE = 4 };
/* In a crystal a body that reaches just short of the next shell may have so many neighbours fewer than in even density,
 * and after many shells it reaches this much farther: covers simple, centred and diamond lattices. */
static const double SHELL_BODIES = 6.1;
static const double SHELL_REACH = 1.08;
static const double PI = 3.14159265358979323846;

/* Distance between the two faces that edge b joins. */
static double width_of(const carom_lattice *lattice, uint32_t b) {
    const double *dual = lattice->dual[b];
    return 1.0 / sqrt(dual[0] * dual[0] + dual[1] * dual[1] + dual[2] * dual[2]);
}

/* Length, area or volume of the periodic cell: open axes have unit vectors at right angles to it. */
static double content_of(const carom_lattice *lattice) {
    const double(*e)[3] = lattice->edge;
    double content = 0.0;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        content += e[0][a] * (e[1][b] * e[2][c] - e[1][c] * e[2][b]);
    }
    return fabs(content);
}

/* Volume of the box; along open axes it is taken to be as wide as along its longest edge. */
static double volume_of(const carom_lattice *lattice) {
    double volume = content_of(lattice);
    for (uint32_t b = lattice->dimensions; b < 3; b++) {
        volume *= width_of(lattice, lattice->dimensions - 1);
    }
    return volume;
}

/* A sphere of this radius around a body holds as many others as it touches. */
static double reach_of(const carom_lattice *lattice, uint64_t owned, uint64_t pairs) {
    const double bodies = fmax((double)owned, 1.0);
    const double others = 2.0 * (double)pairs / bodies;
    return cbrt(others * volume_of(lattice) / bodies / (4.0 / 3.0 * PI));
}

/* The reach in a box where bodies meet their own images: space may be a crystal, whose neighbours come in shells, and
 * it may be as flat or as thin as the lattice. */
static double crystal_reach(const carom_lattice *lattice, uint64_t owned, uint64_t pairs) {
    const double balls[] = {2.0, PI, 4.0 / 3.0 * PI}; /* of radius 1 in one to three dimensions */
    const double bodies = fmax((double)owned, 1.0);
    const double others = 2.0 * (double)pairs / bodies + SHELL_BODIES;
    const double flat =
        pow(others * content_of(lattice) / bodies / balls[lattice->dimensions - 1], 1.0 / lattice->dimensions);
    return SHELL_REACH * fmax(flat, cbrt(others * volume_of(lattice) / bodies / balls[2]));
}

/* A box of side `reach` has this width in the lattice; it may meet those of bodies in all cells around. */
static double crystal_images(const carom_lattice *lattice, uint64_t owned, uint64_t pairs) {
    const double reach = crystal_reach(lattice, owned, pairs);
    double around = 1.0;
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        const double *dual = lattice->dual[b];
        around *= 1.0 + 2.0 * reach * (fabs(dual[0]) + fabs(dual[1]) + fabs(dual[2]));
    }
    return (double)owned * (around - 1.0) / 2.0;
}

uint64_t carom_images_estimate(const carom_lattice *lattice, bool self_images, uint64_t owned, uint64_t pairs) {
    const double reach = reach_of(lattice, owned, pairs);
    double around = 1.0; /* the box with what surrounds it, in boxes */
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        around *= 1.0 + 2.0 * REACHES * reach / width_of(lattice, b);
    }
    double images = (double)owned * ((around - 1.0) / 2.0 + MORE);
    images = self_images ? fmax(images, crystal_images(lattice, owned, pairs)) : images;
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

bool carom_images_in_crowd(bool self_images, uint64_t owned, uint64_t images) {
    return self_images && images > owned / CROWD_SHARE;
}
