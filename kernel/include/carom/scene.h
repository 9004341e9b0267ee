/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The six standard scenes, made the same way everywhere so that results can be compared between programs:
 * u uniform, d dense, p power-law radii, c clustered, l slab, a column. DESIGN.md gives their definition.
 * Random numbers: xoshiro256++ seeded by splitmix64 (Blackman and Vigna 2021). */
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include <stdint.h>

#include "carom/export.h"
#include "carom/status.h"

typedef struct carom_scene_f32 {
    uint64_t count;
    float *prev[3];
    float *curr[3];
    float *radius;
    double box[3]; /* lengths of the box in which bodies start; 0 for the clustered scene, which has none */
    void *memory;  /* one allocation behind all seven arrays */
} carom_scene_f32;

/* Letters of the scenes, "udpcla". */
CAROM_API const char *carom_scene_letters(void);

/* One-word name of a scene ("uniform", ...), or NULL if there is no such letter. */
CAROM_API const char *carom_scene_name(char letter);

/* Makes `count` bodies (0 to CAROM_BODIES_MAX) of the scene with this letter and seed.
 * Errors: ARGUMENT (scene NULL, unknown letter, too many bodies), MEMORY. On error *scene is zero. */
CAROM_API carom_status carom_scene_make(char letter, uint64_t count, uint64_t seed, carom_scene_f32 *scene);

/* Releases the arrays and zeroes *scene. NULL and a zeroed scene are allowed. */
CAROM_API void carom_scene_release(carom_scene_f32 *scene);

#endif
