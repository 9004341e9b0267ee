/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The signed distance of two small polyhedra without any rounding: positions, quaternions and points are rational
 * numbers, and so is the square of the signed distance. In: points, segments, boxes and hulls of up to 8 points, as a
 * caller gives them. Out: the exact s |s|, to which numbers are compared.
 *
 * With all points scaled to whole numbers (GMP), the point of the difference nearest to the origin is found by
 * simplices, which end without a tolerance; where the origin is within, the depth is the least over the normals of all
 * planes through three vertices and across all pairs of edges. */
#ifndef CAROM_TESTS_TRUTH_EXACT_H
#define CAROM_TESTS_TRUTH_EXACT_H

#include <gmp.h>

#include "tests/oracle/solid.h"

enum { TRUTH_EXACT_POINTS = 8, TRUTH_EXACT_EDGES = 28, TRUTH_EXACT_FACES = 56 };

/* One polyhedron, in whole numbers. */
typedef struct truth_exact_body {
    int points;
    int edges;
    int faces;
    mpq_t at[TRUTH_EXACT_POINTS][3]; /* before they are scaled */
    mpz_t point[TRUTH_EXACT_POINTS][3];
    int edge[TRUTH_EXACT_EDGES][2];
    int face[TRUTH_EXACT_FACES][3];
} truth_exact_body;

typedef struct truth_exact {
    truth_exact_body body[2];
    mpz_t scale;     /* of the points */
    mpz_t c[4][3];   /* a simplex of the difference */
    mpz_t weight[4]; /* of its nearest point, over den */
    mpz_t near[3];   /* den times the nearest point */
    mpz_t den;
    mpz_t part[12]; /* for sums */
    mpz_t normal[3];
    mpz_t back[3];
    mpq_t square; /* s |s| */
    mpq_t other;
    int corners;
} truth_exact;

void truth_exact_start(truth_exact *e);
void truth_exact_end(truth_exact *e);

bool truth_exact_serves(const carom_shape *shape);

/* Finds s |s| of a pair that it serves. */
void truth_exact_find(truth_exact *e, const solid_input *i, const solid_input *k);

/* The sign of x - s. */
int truth_exact_compare(truth_exact *e, double x);

/* The sign of s. */
int truth_exact_sign(const truth_exact *e);

#endif
