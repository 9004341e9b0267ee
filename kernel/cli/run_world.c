/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_world.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/io/heap.h"
#include "kernel/sys/error.h"

/* Arrays of reals in carom_run_bodies and in a world: position, velocity, radius, mass, restitution. A view has no
 * restitution. */
enum { REALS = 9, VIEW_REALS = 8 };

static void list_arrays(const carom_run_bodies *bodies, double *arrays[REALS]) {
    for (int axis = 0; axis < 3; ++axis) {
        arrays[axis] = bodies->position[axis];
        arrays[3 + axis] = bodies->velocity[axis];
    }
    arrays[6] = bodies->radius;
    arrays[7] = bodies->mass;
    arrays[8] = bodies->restitution;
}

/* Bodies without a restitution of their own have the run's. */
static void fill_restitution(const carom_run_bodies *bodies, double restitution) {
    for (uint64_t n = 0; n < bodies->count; ++n) {
        bodies->restitution[n] = isnan(bodies->restitution[n]) ? restitution : bodies->restitution[n];
    }
}

/* What a world of either precision is given and gives, from arrays in the order of list_arrays. */
#define MOTION(a)                                                                                                      \
    .position = {(a)[0], (a)[1], (a)[2]}, .velocity = {(a)[3], (a)[4], (a)[5]}, .radius = (a)[6], .mass = (a)[7]

/* And what else a world is given. */
#define PROPERTIES(a, bodies)                                                                                          \
    {                                                                                                                  \
        .size = sizeof added, .count = (bodies)->count, MOTION(a), .restitution = (a)[8],                              \
        .category = (bodies)->category, .mask = (bodies)->mask, .user = (bodies)->id                                   \
    }

static carom_status add_f64(const carom_run_world *world, const carom_run_bodies *bodies, carom_error *error) {
    double *a[REALS];
    list_arrays(bodies, a);
    const carom_world_bodies_f64 added = PROPERTIES(a, bodies);
    return carom_world_add_f64(world->f64, &added, NULL, error);
}

/* The numbers have been rounded to floats already (carom_run_bodies_round). */
static carom_status add_f32(const carom_run_world *world, const carom_run_bodies *bodies, carom_error *error) {
    const uint64_t bytes = REALS * bodies->count * sizeof(float);
    float *memory = carom_heap_allocate(bytes);
    double *from[REALS];
    float *a[REALS];
    if (memory == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for %" PRIu64 " bodies", bodies->count);
    }
    list_arrays(bodies, from);
    for (uint64_t array = 0; array < REALS; ++array) {
        a[array] = memory + array * bodies->count;
        for (uint64_t n = 0; n < bodies->count; ++n) {
            a[array][n] = (float)from[array][n];
        }
    }
    const carom_world_bodies_f32 added = PROPERTIES(a, bodies);
    const carom_status status = carom_world_add_f32(world->f32, &added, NULL, error);
    carom_heap_release(memory, bytes);
    return status;
}

carom_status carom_run_world_make(carom_context *context, bool wide, const carom_step_config *config,
                                  const carom_run_bodies *bodies, carom_run_world *world, carom_error *error) {
    *world = (carom_run_world){.wide = wide};
    const carom_status status = wide ? carom_world_create_f64(context, config, &world->f64, error)
                                     : carom_world_create_f32(context, config, &world->f32, error);
    if (status != CAROM_OK) {
        return status;
    }
    fill_restitution(bodies, config->restitution);
    return wide ? add_f64(world, bodies, error) : add_f32(world, bodies, error);
}

carom_status carom_run_world_load(carom_context *context, bool wide, const void *bytes, uint64_t size,
                                  carom_run_world *world, carom_error *error) {
    *world = (carom_run_world){.wide = wide};
    return wide ? carom_world_load_f64(context, bytes, size, &world->f64, error)
                : carom_world_load_f32(context, bytes, size, &world->f32, error);
}

void carom_run_world_destroy(carom_run_world *world) {
    carom_world_destroy_f32(world->f32);
    carom_world_destroy_f64(world->f64);
    *world = (carom_run_world){.wide = false};
}

carom_status carom_run_world_configure(carom_run_world *world, const carom_step_config *config, carom_error *error) {
    return world->wide ? carom_world_configure_f64(world->f64, config, error)
                       : carom_world_configure_f32(world->f32, config, error);
}

carom_status carom_run_world_step(carom_run_world *world, carom_step_report *report, carom_error *error) {
    return world->wide ? carom_world_step_f64(world->f64, report, NULL, error)
                       : carom_world_step_f32(world->f32, report, NULL, error);
}

carom_status carom_run_world_total(const carom_run_world *world, carom_world_totals *totals, carom_error *error) {
    *totals = (carom_world_totals){.size = sizeof *totals};
    return world->wide ? carom_world_total_f64(world->f64, totals, error)
                       : carom_world_total_f32(world->f32, totals, error);
}

carom_status carom_run_world_save(const carom_run_world *world, void *bytes, uint64_t capacity, uint64_t *size,
                                  carom_error *error) {
    return world->wide ? carom_world_save_f64(world->f64, bytes, capacity, size, error)
                       : carom_world_save_f32(world->f32, bytes, capacity, size, error);
}

const carom_step_config *carom_run_world_config(const carom_run_world *world) {
    return world->wide ? carom_world_config_f64(world->f64) : carom_world_config_f32(world->f32);
}

const carom_handle *carom_run_world_handles(const carom_run_world *world) {
    return world->wide ? carom_world_handles_f64(world->f64) : carom_world_handles_f32(world->f32);
}

uint64_t carom_run_world_count(const carom_run_world *world) {
    return world->wide ? carom_world_count_f64(world->f64) : carom_world_count_f32(world->f32);
}

/* Arrays for `count` bodies; those of the last reading serve again if they are large enough. */
static carom_status reserve_view(carom_run_view *view, uint64_t count, uint64_t real, carom_error *error) {
    const uint64_t bytes = count * (VIEW_REALS * real + sizeof *view->id);
    if (view->memory == NULL || view->bytes < bytes) {
        carom_run_view_release(view);
        view->memory = carom_heap_allocate(bytes);
        view->bytes = bytes;
    }
    if (view->memory == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory to read %" PRIu64 " bodies", count);
    }
    view->count = count;
    view->id = view->memory;
    char *at = (char *)(view->id + count);
    for (uint64_t axis = 0; axis < 3; ++axis) {
        view->position[axis] = at + axis * count * real;
        view->velocity[axis] = at + (3 + axis) * count * real;
    }
    view->radius = at + 6 * count * real;
    view->mass = at + 7 * count * real;
    return CAROM_OK;
}

carom_status carom_run_view_read(const carom_run_world *world, carom_run_view *view, carom_error *error) {
    const uint64_t count = carom_run_world_count(world);
    const carom_status status = reserve_view(view, count, world->wide ? sizeof(double) : sizeof(float), error);
    if (status != CAROM_OK) {
        return status;
    }
    void *const *p = view->position;
    void *const *v = view->velocity;
    void *const a[VIEW_REALS] = {p[0], p[1], p[2], v[0], v[1], v[2], view->radius, view->mass};
    if (world->wide) {
        const carom_world_bodies_f64 to = {.size = sizeof to, .count = count, MOTION(a), .user = view->id};
        return carom_world_get_f64(world->f64, NULL, &to, error);
    }
    const carom_world_bodies_f32 to = {.size = sizeof to, .count = count, MOTION(a), .user = view->id};
    return carom_world_get_f32(world->f32, NULL, &to, error);
}

void carom_run_view_release(carom_run_view *view) {
    carom_heap_release(view->memory, view->bytes);
    memset(view, 0, sizeof *view);
}
