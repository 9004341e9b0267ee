/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/matrix/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/matrix/edge_scene.h"

enum { FIELDS = 7, SEED = 1 };

static void *allocate(uint64_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static const float *field_of(const carom_scene_f32 *scene, int field) {
    return field < 3 ? scene->prev[field] : field < 6 ? scene->curr[field - 3] : scene->radius;
}

/* One block a precision, its beginning the first axis of prev. */
static void take_frame(frames *f, const carom_scene_f32 *scene, int exponent) {
    float *narrow = allocate(FIELDS * scene->count, sizeof *narrow);
    double *wide = allocate(FIELDS * scene->count, sizeof *wide);
    for (int field = 0; field < FIELDS; field++) {
        for (uint64_t n = 0; n < scene->count; n++) {
            const uint64_t at = (uint64_t)field * scene->count + n;
            narrow[at] = ldexpf(field_of(scene, field)[n], exponent);
            wide[at] = (double)narrow[at];
        }
    }
    carom_bodies_f32 *f32 = &f->bodies_f32[f->count];
    carom_bodies_f64 *f64 = &f->bodies_f64[f->count];
    f32->count = f64->count = scene->count;
    for (uint64_t a = 0; a < 3; a++) {
        f32->prev[a] = narrow + a * scene->count;
        f32->curr[a] = narrow + (a + 3) * scene->count;
        f64->prev[a] = wide + a * scene->count;
        f64->curr[a] = wide + (a + 3) * scene->count;
    }
    f32->radius = narrow + 6 * scene->count;
    f64->radius = wide + 6 * scene->count;
    f->count++;
}

static void take_motion(frames *f, char letter, carom_scene_f32 *scene, int exponent) {
    carom_scene_motion motion;
    if (carom_scene_motion_start(letter, 0.05, scene, &motion) != CAROM_OK) {
        abort();
    }
    while (f->count < FRAMES_MOST) {
        take_frame(f, scene, exponent);
        carom_scene_motion_step(&motion, scene);
    }
    carom_scene_motion_end(&motion);
}

static carom_scene_f32 make_scene(char letter, uint64_t bodies) {
    carom_scene_f32 scene;
    if (edge_scene_knows(letter)) {
        return edge_scene_make(letter, bodies);
    }
    if (carom_scene_make(letter, bodies, SEED, &scene) != CAROM_OK) {
        abort();
    }
    return scene;
}

static void release_scene(char letter, carom_scene_f32 *scene) {
    if (edge_scene_knows(letter)) {
        edge_scene_release(scene);
    } else {
        carom_scene_release(scene);
    }
}

frames frames_make(call_kind call, char letter, uint64_t bodies, int exponent) {
    frames f = {.call = call, .box = carom_periodic_default()};
    carom_scene_f32 scene = make_scene(letter, bodies);
    for (int a = 0; a < 3; a++) {
        f.box.along[a] = true;
        f.box.edge[a][a] = ldexp(scene.box[a], exponent);
    }
    if (call == CALL_COHERENT) {
        take_motion(&f, letter, &scene, exponent);
    } else {
        take_frame(&f, &scene, exponent);
    }
    release_scene(letter, &scene);
    return f;
}

void frames_release(frames *f) {
    for (uint32_t n = 0; n < f->count; n++) {
        free((void *)(uintptr_t)f->bodies_f32[n].prev[0]);
        free((void *)(uintptr_t)f->bodies_f64[n].prev[0]);
    }
    memset(f, 0, sizeof *f);
}
