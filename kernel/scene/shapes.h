/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Shapes, rotations and spins for the bodies of a standard scene. Every program gives the same shapes to the bodies of
 * the same scene; kernel/scene/README.md has the definition. Each shape lies within the sphere that its body was. */
#ifndef CAROM_SCENE_SHAPES_H
#define CAROM_SCENE_SHAPES_H

#include <stdint.h>

#include "carom/shapes.h"
#include "carom/status.h"
#include "kernel/scene/scene.h"

/* What bodies are made of. */
typedef enum carom_scene_kind {
    CAROM_SCENE_SPHERES, /* no shapes: the scene as it is */
    CAROM_SCENE_BOXES,
    CAROM_SCENE_CAPSULES,
    CAROM_SCENE_HULLS,
    CAROM_SCENE_MIXED, /* every finite kind of carom/shapes.h */
    CAROM_SCENE_KINDS
} carom_scene_kind;

typedef struct carom_scene_shapes {
    uint64_t count;       /* bodies */
    uint64_t shape_count; /* entries of the table */
    carom_shape *shape;   /* the table, for carom_shapes_create */
    uint32_t *of;         /* of each body: its entry */
    float *turn[4];       /* of each body: its rotation at the start of the step, a quaternion x, y, z, w of length 1 */
    float *spin[3];       /* of each body: its rotation vector in the step, in radians */
    uint64_t bytes;       /* of the one allocation behind all of these */
    void *memory;         /* the same */
} carom_scene_shapes;

/* "boxes", "capsules", ...; NULL for SPHERES. */
const char *carom_scene_kind_name(carom_scene_kind kind);

/* Makes shapes of a kind that is not SPHERES for the scene that carom_scene_make made of this letter and seed.
 * Errors: ARGUMENT (NULL, no such kind), MEMORY. On error *shapes is zero. */
carom_status carom_scene_shapes_make(carom_scene_kind kind, char letter, uint64_t seed, const carom_scene_f32 *scene,
                                     carom_scene_shapes *shapes);

/* Releases the arrays and zeroes *shapes. NULL and zeroed shapes are allowed. */
void carom_scene_shapes_release(carom_scene_shapes *shapes);

#endif
