/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Standard scenes in motion: in comes a scene with one step, out goes the same scene a step later, again and again.
 * Bodies pass through one another and bounce off the walls of the box their scene fills, so that density stays what it
 * is and the work of a step is comparable with that of any other. Everything is float arithmetic in a fixed order: the
 * same steps on every machine. */
#include "kernel/check/assert.h"
#include "kernel/scene/scene.h"

#include <math.h>
#include <stddef.h>

#include "kernel/sys/arithmetic.h"
#include "kernel/sys/memory.h"

#define MOTION_PI 3.14159265358979323846
#define UNIT_VOLUME (4 * MOTION_PI / 3) /* of a sphere of radius 1 */

/* The box that bodies bounce in. */
typedef struct walls {
    double lo[3];
    double hi[3];
} walls;

/* Of all spheres, added up in the order of the bodies: the sum is part of the definition. */
static double volume_of(const carom_scene_f32 *scene) {
    double volume = 0;
    for (uint64_t body = 0; body < scene->count; ++body) {
        const double radius = (double)scene->radius[body];
        volume += UNIT_VOLUME * radius * radius * radius;
    }
    return volume;
}

/* Where the bodies start. */
static void bound_bodies(const carom_scene_f32 *scene, walls *w) {
    for (int axis = 0; axis < 3; ++axis) {
        w->lo[axis] = scene->count > 0 ? (double)scene->prev[axis][0] : 0;
        w->hi[axis] = w->lo[axis];
        for (uint64_t body = 1; body < scene->count; ++body) {
            const double at = (double)scene->prev[axis][body];
            w->lo[axis] = at < w->lo[axis] ? at : w->lo[axis]; /* fmin crashes gcc 12 for Arm at -O3 */
            w->hi[axis] = at > w->hi[axis] ? at : w->hi[axis];
        }
    }
}

/* The box of the scene's definition, one corner at the origin. The column is centred in z, the clustered scene has no
 * box. The uniform scene's side comes from the sum of its volumes: its last bits differ from those of scene->box. */
static void find_walls(char letter, const carom_scene_f32 *scene, walls *w) {
    if (letter == 'c') {
        bound_bodies(scene, w);
        return;
    }
    const double side = cbrt(volume_of(scene) / 0.10);
    for (int axis = 0; axis < 3; ++axis) {
        w->lo[axis] = 0;
        w->hi[axis] = letter == 'u' ? side : scene->box[axis];
    }
    if (letter == 'a') {
        w->hi[2] = scene->box[2] / 2;
        w->lo[2] = -w->hi[2];
    }
}

/* curr = prev + displacement for every body, in three passes, one an axis. */
static void advance(carom_scene_motion *motion, carom_scene_f32 *scene) {
    CAROM_ASSERT(motion->count == scene->count);
    for (int axis = 0; axis < 3; ++axis) {
        const float lo = (float)motion->lo[axis];
        const float hi = (float)motion->hi[axis];
        const float *prev = scene->prev[axis];
        float *curr = scene->curr[axis];
        float *displacement = motion->displacement[axis];
        CAROM_ASSERT(lo <= hi);
        for (uint64_t body = 0; body < scene->count; ++body) {
            curr[body] = prev[body] + displacement[body];
            displacement[body] = carom_scene_bounce(lo, hi, &curr[body]) ? -displacement[body] : displacement[body];
        }
    }
}

void carom_scene_motion_walls(char letter, const carom_scene_f32 *scene, double lo[3], double hi[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    walls w;
    find_walls(letter, scene, &w);
    for (int axis = 0; axis < 3; ++axis) {
        lo[axis] = w.lo[axis];
        hi[axis] = w.hi[axis];
    }
    carom_arithmetic_leave(before);
}

carom_status carom_scene_motion_start(char letter, double scale, carom_scene_f32 *scene, carom_scene_motion *motion) {
    if (motion == NULL) {
        return CAROM_ERROR_ARGUMENT;
    }
    *motion = (carom_scene_motion){.count = 0};
    if (scene == NULL || carom_scene_name(letter) == NULL || !isfinite(scale)) {
        return CAROM_ERROR_ARGUMENT;
    }
    const carom_allocator system = carom_memory_system_allocator();
    /* One more float, so that an empty scene asks for memory that exists. */
    float *memory = system.allocate(system.user, (size_t)(scene->count * 3 + 1) * sizeof(float), CAROM_CACHE_LINE);
    if (memory == NULL) {
        return CAROM_ERROR_MEMORY;
    }
    carom_scene_motion_walls(letter, scene, motion->lo, motion->hi);
    const carom_arithmetic before = carom_arithmetic_enter();
    motion->count = scene->count;
    motion->memory = memory;
    for (uint64_t axis = 0; axis < 3; ++axis) {
        motion->displacement[axis] = memory + axis * scene->count;
        for (uint64_t body = 0; body < scene->count; ++body) {
            const float displacement = scene->curr[axis][body] - scene->prev[axis][body];
            motion->displacement[axis][body] = (float)(scale * (double)displacement);
        }
    }
    advance(motion, scene);
    carom_arithmetic_leave(before);
    return CAROM_OK;
}

void carom_scene_motion_step(carom_scene_motion *motion, carom_scene_f32 *scene) {
    for (int axis = 0; axis < 3; ++axis) {
        /* No copy: what was curr is prev now, and advance() overwrites the other. */
        float *spare = scene->prev[axis];
        scene->prev[axis] = scene->curr[axis];
        scene->curr[axis] = spare;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    advance(motion, scene);
    carom_arithmetic_leave(before);
}

void carom_scene_motion_end(carom_scene_motion *motion) {
    if (motion != NULL && motion->memory != NULL) {
        const carom_allocator system = carom_memory_system_allocator();
        system.release(system.user, motion->memory, (size_t)(motion->count * 3 + 1) * sizeof(float));
        *motion = (carom_scene_motion){.count = 0};
    }
}
