/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes are made in floats, of which each is a double. */
#include "kernel/cli/shaped_scene.h"

#include <string.h>

static void take_numbers(const float *from, double *to, uint64_t count) {
    for (uint64_t n = 0; n < count; ++n) {
        to[n] = (double)from[n];
    }
}

static void take_bodies(const carom_scene_f32 *scene, const carom_scene_shapes *shapes, carom_shaped *shaped) {
    for (int axis = 0; axis < 3; ++axis) {
        take_numbers(scene->prev[axis], shaped->array[CAROM_SHAPED_PREV + axis], scene->count);
        take_numbers(scene->curr[axis], shaped->array[CAROM_SHAPED_CURR + axis], scene->count);
        take_numbers(shapes->spin[axis], shaped->array[CAROM_SHAPED_SPIN + axis], scene->count);
        shaped->box[axis][axis] = scene->box[axis];
    }
    for (int d = 0; d < 4; ++d) {
        take_numbers(shapes->turn[d], shaped->array[CAROM_SHAPED_PREV_TURN + d], scene->count);
    }
    memcpy(shaped->shape, shapes->of, scene->count * sizeof *shapes->of);
    shaped->moves = true;
    shaped->spins = true;
    shaped->has_box = scene->box[0] > 0 && scene->box[1] > 0 && scene->box[2] > 0;
}

/* The entries are copied, since the scene's own go with it. */
static carom_exit take_entries(const carom_scene_shapes *shapes, carom_shaped_entries *entries) {
    uint64_t points = 0;
    uint64_t children = 0;
    for (uint64_t n = 0; n < shapes->shape_count; ++n) {
        points += shapes->shape[n].point_count;
        children += shapes->shape[n].child_count;
    }
    const carom_exit outcome = carom_shaped_make_entries(shapes->shape_count, points, children, entries);
    for (uint64_t n = 0; n < shapes->shape_count && outcome == CAROM_EXIT_OK; ++n) {
        carom_shape shape = shapes->shape[n];
        double(*point)[3] = carom_shaped_add_points(entries, shape.point_count);
        carom_shape_child *child = carom_shaped_add_children(entries, shape.child_count);
        if (shape.point_count > 0) {
            memcpy(point, shape.point, shape.point_count * sizeof *point);
            shape.point = (const double(*)[3])point;
        }
        if (shape.child_count > 0) {
            memcpy(child, shape.child, shape.child_count * sizeof *child);
            shape.child = child;
        }
        carom_shaped_add(entries, &shape);
    }
    return outcome;
}

static carom_exit take(char letter, const carom_scene_f32 *scene, const carom_scene_shapes *shapes,
                       carom_shaped *shaped) {
    carom_exit outcome = carom_shaped_make(scene->count, shaped);
    if (outcome == CAROM_EXIT_OK) {
        take_bodies(scene, shapes, shaped);
        shaped->has_walls = true;
        carom_scene_motion_walls(letter, scene, shaped->lo, shaped->hi);
        outcome = take_entries(shapes, &shaped->entries);
    }
    return outcome == CAROM_EXIT_OK ? carom_shaped_finish(shaped) : outcome;
}

carom_exit carom_shaped_scene_make(const carom_scene_options *options, carom_shaped *shaped) {
    carom_scene_f32 scene;
    carom_scene_shapes shapes = {.count = 0};
    memset(shaped, 0, sizeof *shaped);
    carom_exit outcome = carom_scene_options_make(options, &scene);
    if (outcome == CAROM_EXIT_OK) {
        const carom_status status =
            carom_scene_shapes_make(options->shapes, options->letter, options->seed, &scene, &shapes);
        if (status != CAROM_OK) {
            carom_say("no memory for the shapes of scene %c", options->letter);
            outcome = carom_say_exit_of(status);
        } else {
            outcome = take(options->letter, &scene, &shapes, shaped);
        }
    }
    carom_scene_shapes_release(&shapes);
    carom_scene_release(&scene);
    return outcome;
}
