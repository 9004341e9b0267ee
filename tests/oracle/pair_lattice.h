/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs on a lattice that touch exactly: p, v and R are built on three integer vectors of one integer length N at right
 * angles to each other, which come from a quaternion of small integers (Euler, Rodrigues). A distance of s N is then
 * exact, and half a unit more or less is a near miss. */
#ifndef CAROM_TESTS_PAIR_LATTICE_H
#define CAROM_TESTS_PAIR_LATTICE_H

#include "kernel/scene/random.h"

typedef struct pair_shape {
    double p[3];
    double v[3];
    double sum_radius;
} pair_shape;

/* Integers, the radius in halves: tangent in three of four, just apart or just touching else. */
pair_shape pair_lattice(carom_random *random);

/* Along the axes, tangent within the step. */
pair_shape pair_lattice_axes(carom_random *random);

/* R = 0, p and v on a line in half of them. */
pair_shape pair_lattice_points(carom_random *random);

/* v = 0, tangent in half of them. */
pair_shape pair_lattice_rest(carom_random *random);

#endif
