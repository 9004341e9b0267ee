/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random pairs of shapes, as the benchmarks and the comparison with other libraries ask about them. Pair n is of bodies
 * i[n] and k[n]; every body is in one pair.
 *
 * At rest: the first body's centre is uniform in [-10, 10]^3 and the second's is that plus U[-S, S]^3, with a spread S
 * for each kind that lets about half of the pairs touch. Rotations are uniform.
 *
 * In motion: the pair begins apart by up to one unit more than bounding spheres need, in a random direction, and ends
 * within three quarters of the spread; nine in ten hit. Each body turns about a random axis by up to 0.75 radians, and
 * each does half of the way.
 *
 * Sizes: spheres have radius U[.25, 1]; capsules radius U[.1, .5] and half length U[.25, 1]; boxes half extents
 * U[.25, 1]; cylinders and cones radius U[.25, .75] and half length U[.25, 1]; ellipsoids semi-axes U[.25, 1]. Hulls
 * are of 8 to 64 random points on ellipsoids of semi-axes U[.5, 1]. All numbers are floats, in double as well, so that
 * both precisions and all libraries see the same pairs. */
#ifndef CAROM_BENCH_SHAPE_PAIRS_H
#define CAROM_BENCH_SHAPE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "carom/shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which shapes meet. */
typedef struct carom_pair_kind {
    const char *name;
    carom_shape_kind i, k;
    uint32_t points; /* of each hull; else 0 */
    double spread;   /* S */
} carom_pair_kind;

/* All kinds; returns how many. */
size_t carom_pair_kinds(const carom_pair_kind **kinds);

/* The kind of this name, or NULL. */
const carom_pair_kind *carom_pair_kind_named(const char *name);

typedef struct carom_shape_pairs_config {
    uint64_t count;  /* pairs, >= 1 */
    uint64_t shapes; /* different shapes on each side of the pairs; 0: each body has its own */
    uint64_t seed;
    bool moving;   /* else at rest */
    bool shuffled; /* bodies lie in random order, not in that of the pairs */
} carom_shape_pairs_config;

typedef struct carom_shape_pairs {
    carom_pair_kind kind;
    carom_shape_pairs_config config;
    uint64_t body_count;  /* twice the pairs */
    uint64_t shape_count; /* those of the first bodies, then those of the second ones */
    carom_shape *shape;
    double (*point)[3]; /* of all hulls */
    uint32_t *entry;    /* each body's shape */
    uint32_t *i;
    uint32_t *k;
    float *prev[3];
    float *curr[3]; /* not used by pairs at rest */
    float *turn[4];
    float *spin[3]; /* likewise */
    double *wide;   /* prev, curr, turn and spin in double, body_count values each, in this order */
} carom_shape_pairs;

/* Makes pairs. Ends the program if there is no memory. */
void carom_shape_pairs_make(const carom_pair_kind *kind, const carom_shape_pairs_config *config,
                            carom_shape_pairs *pairs);

/* The pairs' bodies with shapes of a table made of pairs->shape. Valid until the pairs are released. */
carom_bodies_f32 carom_shape_pairs_bodies_f32(const carom_shape_pairs *pairs, const carom_shapes *shapes);
carom_bodies_f64 carom_shape_pairs_bodies_f64(const carom_shape_pairs *pairs, const carom_shapes *shapes);

/* Releases the arrays and zeroes *pairs. */
void carom_shape_pairs_release(carom_shape_pairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
