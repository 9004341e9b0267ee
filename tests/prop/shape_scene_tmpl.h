/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Random scenes of bodies with shapes, and what detection must find in them: all pairs one by one by the calls for
 * pairs. */
#ifndef CAROM_TESTS_SHAPE_SCENE_TMPL_H
#define CAROM_TESTS_SHAPE_SCENE_TMPL_H

#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/any_detect.h"
#include "tests/support/brute_force.h"

typedef enum shape_family {
    FAMILY_SPHERES,
    FAMILY_BOXES,
    FAMILY_CAPSULES,
    FAMILY_HULLS,
    FAMILY_MIXED,
    FAMILY_COMPOUNDS,
    FAMILIES
} shape_family;

typedef enum shape_motion {
    MOTION_REST,   /* no curr */
    MOTION_LINEAR, /* every fourth body rests */
    MOTION_TURN,   /* prev_turn and curr_turn */
    MOTION_SPIN,   /* prev_turn and spin */
    MOTION_PLACE,  /* prev_turn and spin, no curr */
    MOTIONS
} shape_motion;

typedef struct shape_scene {
    shape_family family;
    shape_motion motion;
    carom_shapes *shapes;
    carom_bodies bodies;
    carom_real *field[17]; /* prev (3), curr (3), prev_turn (4), curr_turn (4), spin (3) */
    uint32_t *shape;
    double *radius;   /* of spheres */
    double margin;    /* of questions about the scene, as in carom_detect_config; 0 at first */
    double tolerance; /* likewise */
} shape_scene;

#define shape_scene_make CAROM_REAL(shape_scene_make)
#define shape_scene_release CAROM_REAL(shape_scene_release)
#define shape_scene_name CAROM_REAL(shape_scene_name)
#define shape_scene_any CAROM_REAL(shape_scene_any)
#define shape_scene_touches CAROM_REAL(shape_scene_touches)
#define shape_scene_gap CAROM_REAL(shape_scene_gap)
#define shape_scene_impact CAROM_REAL(shape_scene_impact)
#define shape_scene_rests CAROM_REAL(shape_scene_rests)

/* `count` bodies of size about 1, so dense that each touches a few. */
shape_scene shape_scene_make(shape_family family, shape_motion motion, uint64_t count, carom_random *random);
void shape_scene_release(shape_scene *scene);
const char *shape_scene_name(const shape_scene *scene);

/* The bodies as any_detect_bodies takes them; they stay the scene's. */
any_bodies shape_scene_any(const shape_scene *scene);

/* Of all pairs whose boxes overlap those that touch by the calls for pairs, ordered by (i, k). boxes: what a call until
 * BOUNDS returned. */
brute_pairs shape_scene_touches(carom_context *context, const shape_scene *scene, const any_result *boxes,
                                brute_pairs *overlapping);

/* Whether a body neither moves nor turns. */
bool shape_scene_rests(const shape_scene *scene, uint64_t body);

/* The answers for one pair. */
CAROM_REAL(carom_gap) shape_scene_gap(carom_context *context, const shape_scene *scene, uint32_t i, uint32_t k);
CAROM_REAL(carom_toi) shape_scene_impact(carom_context *context, const shape_scene *scene, uint32_t i, uint32_t k);

#endif
