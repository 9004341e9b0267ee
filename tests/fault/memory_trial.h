/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What tests of memory ask the library for: scenes that call for every structure of the search, each with the options
 * that need memory of their own. Calls fill arrays of the caller's too, or have a sink, and are watched: after an error
 * the arrays are untouched. */
#ifndef CAROM_TESTS_MEMORY_TRIAL_H
#define CAROM_TESTS_MEMORY_TRIAL_H

#include "tests/support/fault_allocator.h"
#include "tests/support/guarded_output.h"
#include "tests/support/random_scene.h"

typedef enum memory_scene {
    MEMORY_DENSE,  /* bodies alike */
    MEMORY_GIANTS, /* a few hold many others: wide bodies, guests, a level of its own */
    MEMORY_CROWD,  /* more bodies in one cell than it takes: a part of its own */
    MEMORY_SWEPT,  /* one cell, with more bodies than one worker sweeps alone */
    MEMORY_PACKED, /* dozens of neighbours each: cells that are not swept */
    MEMORY_SCENES
} memory_scene;

const char *memory_scene_name(memory_scene kind);
/* `count` bodies; the last three have as many as they need instead. */
random_scene memory_scene_make(memory_scene kind, uint64_t count);

/* How many options a scene is tried with, and which. */
int memory_options(memory_scene kind);

/* A scene and an option, with what they give when there is memory enough. */
typedef struct memory_trial {
    memory_scene scene;
    uint32_t threads;
    any_bodies bodies;
    carom_detect_config config;
    bool to_sink;
    bool in_parts; /* a sink has had rows when a part of the scene finds no memory */
    any_result wanted;
    guarded_output arrays;
} memory_trial;

memory_trial memory_trial_make(memory_scene kind, const random_scene *scene, int option, any_precision precision,
                               uint32_t threads);
void memory_trial_release(memory_trial *t);

/* Fails the test unless the trials made so far have used every buffer that a context has. */
void memory_trials_check_buffers(void);

/* The call. Fails the test if arrays of the caller's are written although there is an error, are not what the results
 * are where there is none, or if not every row has come to the sink once. */
any_result memory_trial_detect(memory_trial *t, carom_context *context);

#endif
