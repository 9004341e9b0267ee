/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of one precision that move from step to step, in ways kind and unkind. */
#ifndef CAROM_TESTS_WORLD_TMPL_H
#define CAROM_TESTS_WORLD_TMPL_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/carom.h"
#include "kernel/scene/scene.h"
#include "simd/isa.h"
#include "tests/support/random_scene.h"

typedef CAROM_REAL(carom_bodies) bodies_view;

/* field: prev, curr, radius. count may fall below what there is room for, `most`. */
typedef struct world {
    uint64_t count;
    uint64_t most;
    carom_real *field[7];
    carom_random *random;
} world;

typedef enum change {
    GO_ON,
    STAND,
    SLOW,
    TURN,
    WANDER,
    TELEPORT_SOME,
    SWEEP_SOME,
    TELEPORT_ALL,
    GROW_SOME,
    OTHER_COUNT,
    SHUFFLE_PREV,
    CHANGES
} change;

world world_make(const double *const from[7], uint64_t count, carom_random *random);
/* A standard scene as bodies of this precision. */
world world_of_scene(const carom_scene_f32 *scene, carom_random *random);
void world_release(world *w);

bodies_view world_view(const world *w);

/* On as before, with displacements times `scale`. */
void world_go_on(world *w, double scale);
/* On to the next step. */
void world_change(world *w, change what);

/* Scenes of which a few bodies make many pairs. */
bool world_is_crowded(random_scene_kind kind);

/* A standard scene in motion. */
typedef struct film {
    carom_scene_f32 scene;
    carom_scene_motion motion;
    carom_random random;
} film;

film film_start(char letter, uint64_t count, double scale);
void film_stop(film *f);

#endif
