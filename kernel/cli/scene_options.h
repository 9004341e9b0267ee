/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A standard scene as chosen on the command line. detect and gen share it, so that both mean the same bodies. */
#ifndef CAROM_CLI_SCENE_OPTIONS_H
#define CAROM_CLI_SCENE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cli/options.h"
#include "kernel/scene/scene.h"
#include "kernel/scene/shapes.h"

typedef struct carom_scene_options {
    char letter;             /* '\0': none chosen */
    uint64_t bodies;         /* 0 to CAROM_BODIES_MAX */
    uint64_t seed;           /* any number */
    bool sized;              /* --bodies or --seed was given */
    carom_scene_kind shapes; /* what the bodies are made of; spheres unless --shapes was given */
} carom_scene_options;

/* No scene; a million bodies, seed 1, spheres. */
carom_scene_options carom_scene_options_default(void);

/* The values of --scene (letter or name), --bodies, --seed and --shapes, in the form of carom_option.set. */
bool carom_scene_options_letter(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]);
bool carom_scene_options_bodies(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]);
bool carom_scene_options_seed(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]);
bool carom_scene_options_shapes(carom_scene_options *options, const char *value, char wanted[CAROM_WANTED_SIZE]);

/* Makes the scene's spheres, telling of its progress and of a failure. shaped_scene.h makes its shapes. */
carom_exit carom_scene_options_make(const carom_scene_options *options, carom_scene_f32 *scene);

#endif
