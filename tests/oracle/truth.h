/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The signed distance of two convex shapes as a proved bracket, in long double: what the library's answers are held
 * against. In: a pair of solids. Out: lower <= s <= upper, with the rounding of long doubles included.
 *
 * Every lower bound is g(n) of some unit vector n (carom/distance.h), every upper bound a pair of points, or a cover of
 * the sphere of directions by triangles on each of which g has a proved upper bound. So a mistake in how n, points and
 * triangles are found can make a bracket wide, but not wrong; what is left to trust are supports and sums of three.
 *
 *   - separated shapes: points of least distance by simplices (truth_near.c)
 *   - small polyhedra in overlap: the normals of all planes through three vertices, or through an edge of each
 *     (truth_planes.c)
 *   - all others: branch and bound over directions (truth_cover.c), in the manner of Breen and others' bounds on
 *     convex functions: for n within a triangle of directions, g(n) <= -n.c for every c of the difference of shapes */
#ifndef CAROM_TESTS_TRUTH_H
#define CAROM_TESTS_TRUTH_H

#include "tests/oracle/solid.h"

typedef struct truth {
    wide lower;
    wide upper;
    wide normal[3]; /* lower is its */
    wide a[3];      /* points, relative to k's position; for separated shapes upper is their distance */
    wide b[3];
    bool apart; /* upper is the distance of the points */
    uint32_t steps;
} truth;

/* How far to go. */
typedef struct truth_effort {
    wide width;         /* relative to the smaller shape's reach, or to |s| if that is greater */
    uint32_t triangles; /* the most that are looked at */
} truth_effort;

truth truth_find(const solid_pair *pair, const truth_effort *effort);

/* Steps of truth_find, on cores: each improves what it is given, in which lower <= upper are bounds. */
void truth_start(const solid_pair *pair, truth *t);
void truth_near(const solid_pair *pair, truth *t);
void truth_planes(const solid_pair *pair, truth *t);
void truth_cover(const solid_pair *pair, const truth_effort *effort, truth *t);

/* Whether both are polyhedra with few enough vertices for truth_planes. */
bool truth_planes_serve(const solid_pair *pair);

/* Takes g(n) as a lower bound if it is better; returns g(n). n need not have length 1; no use if it is 0. */
wide truth_try(const solid_pair *pair, const wide n[3], truth *t);

/* The smaller of the reaches of both shapes, or the greater if that is 0. */
wide truth_scale(const solid_pair *pair);

#endif
