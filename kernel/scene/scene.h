/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The six standard scenes: u uniform, d dense, p power-law radii, c clustered, l slab, a column. Every program makes
 * the same bodies from the same letter, count and seed, so that results can be compared. kernel/scene/README.md gives
 * the definitions. The command, the tests and the benchmarks use them; the library does not contain them. Random
 * numbers: xoshiro256++ seeded by splitmix64 (Blackman and Vigna 2021). */
#ifndef CAROM_SCENE_SCENE_H
#define CAROM_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "carom/status.h"

typedef struct carom_scene_f32 {
    uint64_t count; /* bodies, at most CAROM_BODIES_MAX */
    float *prev[3]; /* positions at the start of the step, in radii of a common body */
    float *curr[3]; /* positions at its end */
    float *radius;  /* >= 1 */
    double box[3];  /* lengths of the box in which bodies start; 0 for the clustered scene, which has none */
    void *memory;   /* one allocation behind all seven arrays */
} carom_scene_f32;

/* Letters of the scenes, "udpcla". */
const char *carom_scene_letters(void);

/* One-word name of a scene ("uniform", ...), or NULL if there is no such letter. */
const char *carom_scene_name(char letter);

/* Makes `count` bodies (0 to CAROM_BODIES_MAX) of the scene with this letter and seed.
 * Errors: ARGUMENT (scene NULL, unknown letter, too many bodies), MEMORY. On error *scene is zero. */
carom_status carom_scene_make(char letter, uint64_t count, uint64_t seed, carom_scene_f32 *scene);

/* The scene's arrays as bodies for detection. Valid until the scene is released or moves on. */
carom_bodies_f32 carom_scene_bodies(const carom_scene_f32 *scene);

/* A scene in motion: every body keeps its displacement from step to step and bounces off the walls of the scene's box
 * (that of its definition; where there is none, the box of all prev of the first step). */
typedef struct carom_scene_motion {
    uint64_t count;         /* bodies of the scene */
    double lo[3];           /* walls */
    double hi[3];           /* the same, hi >= lo */
    float *displacement[3]; /* of each body, in a step */
    void *memory;           /* one allocation behind all three */
} carom_scene_motion;

/* Mirrors a position in the wall that it has passed: true if it has, and the displacement turns round. A body that would
 * be past the other wall then, or started outside, is put on the wall. lo <= hi. */
static inline bool carom_scene_bounce(float lo, float hi, float *at) {
    if (!(*at < lo || *at > hi)) {
        return false;
    }
    const float mirrored = 2 * (*at < lo ? lo : hi) - *at;
    *at = mirrored < lo ? lo : mirrored > hi ? hi : mirrored;
    return true;
}

/* The walls of a scene that carom_scene_make made of this letter. */
void carom_scene_motion_walls(char letter, const carom_scene_f32 *scene, double lo[3], double hi[3]);

/* Makes the first step: displacement = scale (curr - prev), rounded to float; curr = prev + displacement, mirrored in a
 * wall that it passes, and the displacement with it. `letter` tells the box. The scene is changed in place.
 * Errors: ARGUMENT (NULL, unknown letter, scale not finite), MEMORY. On error *motion is zero, the scene unchanged. */
carom_status carom_scene_motion_start(char letter, double scale, carom_scene_f32 *scene, carom_scene_motion *motion);

/* The next step: prev = curr, curr = prev + displacement, mirrored as above. The scene's pointers to prev and curr
 * change places. */
void carom_scene_motion_step(carom_scene_motion *motion, carom_scene_f32 *scene);

/* Releases the motion and zeroes it; the scene stays. NULL and a zeroed motion are allowed. */
void carom_scene_motion_end(carom_scene_motion *motion);

/* Releases the arrays and zeroes *scene. NULL and a zeroed scene are allowed. */
void carom_scene_release(carom_scene_f32 *scene);

#endif
