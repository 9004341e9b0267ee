/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes for property tests: many distributions, most of them unkind. Every value is one that float holds too if the
 * scene is made for f32. */
#ifndef CAROM_TESTS_RANDOM_SCENE_H
#define CAROM_TESTS_RANDOM_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "kernel/scene/random.h"

typedef enum random_scene_kind {
    RANDOM_UNIFORM_DENSE,
    RANDOM_UNIFORM_SPARSE,
    RANDOM_RADII,     /* 1 : 1000 */
    RANDOM_FAST,      /* displacements longer than the scene */
    RANDOM_PLANE,     /* every z the same */
    RANDOM_LINE,      /* every x and z the same */
    RANDOM_POINT,     /* all start at one place */
    RANDOM_LATTICE,   /* integer lattice, radius 1/2: neighbours touch exactly */
    RANDOM_GRAZING,   /* small integers everywhere: many contacts are exactly tangent, in the middle or at the ends */
    RANDOM_OUTLIER,   /* a cluster and one body 1e9 away */
    RANDOM_OFFSET,    /* far from the origin: 1e7 on every axis */
    RANDOM_POINTS,    /* radius 0 on a small lattice, so that some coincide */
    RANDOM_COPIES,    /* a few bodies many times over */
    RANDOM_NEGATIVE,  /* coordinates below zero */
    RANDOM_HUGE,      /* up to 1e37 */
    RANDOM_TINY,      /* 1e-36 and smaller */
    RANDOM_REST,      /* prev == curr */
    RANDOM_GIANT,     /* one body holds all others */
    RANDOM_TOGETHER,  /* all move alike: no relative motion */
    RANDOM_DIAGONAL,  /* a thin sheet across all axes */
    RANDOM_CLUSTERED, /* a few dense clusters in empty space */
    RANDOM_COLUMN,    /* long in one direction, chosen at random */
    RANDOM_SLAB,      /* thin in one direction, chosen at random */
    RANDOM_KINDS
} random_scene_kind;

typedef struct random_scene {
    carom_bodies_f64 bodies;
    double *field[7]; /* prev, curr, radius: what bodies points to, to be written */
} random_scene;

const char *random_scene_name(random_scene_kind kind);

/* Makes `count` bodies; for_f32: every value rounded to float. */
random_scene random_scene_make(random_scene_kind kind, uint64_t count, bool for_f32, carom_random *random);

/* `count` bodies, all zero, to be filled by the test. */
random_scene random_scene_blank(uint64_t count);

/* The same bodies in another order: body n is the original's order[n]. */
random_scene random_scene_permuted(const random_scene *scene, const uint32_t *order);

void random_scene_release(random_scene *scene);

/* A random order of 0 .. count - 1, to be freed. */
uint32_t *random_order(uint64_t count, carom_random *random);

#endif
