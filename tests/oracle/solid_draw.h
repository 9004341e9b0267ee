/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random pairs of convex shapes, from ordinary ones to those that break searches: near touch, on a lattice, all but
 * parallel, concentric, identical, nested, far apart, of very different sizes, flat and needle-like. */
#ifndef CAROM_TESTS_SOLID_DRAW_H
#define CAROM_TESTS_SOLID_DRAW_H

#include "kernel/scene/random.h"
#include "tests/oracle/solid.h"

typedef enum solid_species {
    SPECIES_POINT,
    SPECIES_SPHERE,
    SPECIES_SEGMENT,
    SPECIES_CAPSULE,
    SPECIES_BOX,
    SPECIES_PLATE, /* a box that is flat */
    SPECIES_CYLINDER,
    SPECIES_DISC, /* a cylinder of height 0 */
    SPECIES_CONE,
    SPECIES_ELLIPSOID,
    SPECIES_HULL_4,
    SPECIES_HULL_8,
    SPECIES_HULL_16,
    SPECIES_HULL_32,
    SPECIES_HULL_64,
    SPECIES_POLYGON, /* a hull that is flat */
    SPECIES_TRIANGLE,
    SPECIES_COUNT
} solid_species;

typedef enum solid_place {
    PLACE_ANYWHERE, /* about half of them overlap */
    PLACE_NEAR,     /* a gap or depth of 1e-15 to 1e-3 of the size */
    PLACE_LATTICE,  /* small whole numbers and quarter turns: exact touches */
    PLACE_PARALLEL, /* faces and edges parallel but for 1e-17 to 1e-2, near touch */
    PLACE_CONCENTRIC,
    PLACE_IDENTICAL, /* the same shape with the same pose, or all but */
    PLACE_NESTED,
    PLACE_FAR,
    PLACE_UNEVEN,  /* sizes 1 to 1e4 */
    PLACE_EXTREME, /* sizes from 1e-50 to 1e50, places to 1e140 */
    PLACE_COUNT
} solid_place;

enum { SOLID_POINTS_MOST = 64 };

/* Not to be copied: the shapes point to its points. */
typedef struct solid_drawn {
    solid_input i;
    solid_input k;
    double point[2][SOLID_POINTS_MOST][3];
} solid_drawn;

const char *solid_species_name(solid_species species);
const char *solid_place_name(solid_place place);

void solid_draw(carom_random *random, solid_species i, solid_species k, solid_place place, solid_drawn *pair);

#endif
