/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The lattice of a periodic box: a reduced basis, in which bodies have the fewest images to be looked at however much
 * the box is tilted, and the numbers of its vectors in terms of the caller's edges. Positions in the lattice are dual
 * products: dual[b] . x, which a step of edge[b] raises by one and a step of another edge leaves alone.
 *
 * What is exact. Multiples are whole numbers without rounding. An edge of the basis is the sum of these multiples of
 * the caller's edges. Where the sum nearly cancels, as in boxes tilted by a million widths and more, `cancels` is set,
 * and this sum and all others of the caller's edges are computed without rounding and then rounded once. Elsewhere each
 * product and each addition is rounded. Whether the edges are independent is decided exactly.
 *
 * Reduction after Lagrange (two dimensions) and Semaev, A 3-dimensional lattice reduction algorithm (2001). */
#ifndef CAROM_PERIODIC_LATTICE_H
#define CAROM_PERIODIC_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/periodic.h"
#include "carom/status.h"

/* Cells that a body may be away from the origin. The shift of a pair is a sum of two such numbers and of the shift of
 * an image, and must fit 32 bits. */
#define CAROM_WRAP_MOST 1e9

typedef struct carom_lattice {
    uint32_t dimensions;   /* axes along which space repeats, 1 to 3 */
    bool cancels;          /* sums of the caller's edges cancel so far that they are computed exactly: see below */
    double caller[3][3];   /* the caller's edges; zero where space is open */
    double multiple[3][3]; /* edge[b] = sum over a of multiple[b][a] caller[a]: whole numbers */
    double edge[3][3];     /* the reduced basis, shortest first; vectors after `dimensions` only complete it */
    double dual[3][3];     /* finite, because no lattice vector is shorter than DBL_MIN */
    double shortest;       /* length of the shortest lattice vector: the least distance of a body from its own image */
} carom_lattice;

/* Errors: ARGUMENT (size wrong; no axis; an edge whose length is not finite; edges that span no length, area or volume;
 * a reduced basis whose multiples a double does not hold: those up to 2^53 it does, greater ones if at most 53 bits
 * stand before their zeros; a lattice vector shorter than DBL_MIN). error may be NULL. */
carom_status carom_lattice_make(const carom_periodic *periodic, carom_lattice *lattice, carom_error *error);

/* The same displacement in numbers of the caller's edges. */
static inline void carom_lattice_numbers(const carom_lattice *lattice, const double reduced[3], double caller[3]) {
    for (int a = 0; a < 3; a++) {
        caller[a] = reduced[0] * lattice->multiple[0][a] + reduced[1] * lattice->multiple[1][a] +
                    reduced[2] * lattice->multiple[2][a];
    }
}

/* The numbers of edges of the reduced basis whose sum is nearest to a displacement, along each edge by itself. */
void carom_lattice_round(const carom_lattice *lattice, const double displacement[3], double reduced[3]);

/* Whether the swept box of a body (prev, curr, radius) lies inside the first cell, with room to spare for rounding:
 * then no edge is taken from the body wherever it is in this box. */
bool carom_lattice_is_inside(const carom_lattice *lattice, const double body[7]);

/* The lattice vector that is nearest to a displacement, along each edge of the reduced basis by itself. Zero if doubles
 * do not hold its numbers, as those of an infinite displacement. */
void carom_lattice_nearest(const carom_lattice *lattice, const double displacement[3], double nearest[3]);

/* sum over a of number[a] caller[a]; number: finite whole numbers. */
void carom_lattice_displacement(const carom_lattice *lattice, const double number[3], double displacement[3]);

#endif
