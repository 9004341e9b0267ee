/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_bodies.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "kernel/io/heap.h"

/* Arrays of 8 bytes a body: position, velocity, radius, mass, restitution, id; and two of 4 bytes. */
enum { WIDE_ARRAYS = 10, BYTES_EACH = WIDE_ARRAYS * 8 + 2 * 4 };

static void place_arrays(carom_run_bodies *bodies) {
    const uint64_t count = bodies->count;
    double *at = bodies->memory;
    for (int axis = 0; axis < 3; ++axis) {
        bodies->position[axis] = at + (uint64_t)axis * count;
        bodies->velocity[axis] = at + (uint64_t)(axis + 3) * count;
    }
    bodies->radius = at + 6 * count;
    bodies->mass = at + 7 * count;
    bodies->restitution = at + 8 * count;
    bodies->id = (uint64_t *)bodies->memory + 9 * count;
    bodies->category = (uint32_t *)(at + WIDE_ARRAYS * count);
    bodies->mask = bodies->category + count;
}

carom_exit carom_run_bodies_make(uint64_t count, carom_run_bodies *bodies) {
    *bodies = (carom_run_bodies){.count = count, .bytes = count * BYTES_EACH};
    bodies->memory = carom_heap_allocate(bodies->bytes);
    if (bodies->memory == NULL) {
        carom_say("no memory for %" PRIu64 " bodies", count);
        return CAROM_EXIT_RESOURCES;
    }
    place_arrays(bodies);
    for (uint64_t n = 0; n < count; ++n) {
        for (int axis = 0; axis < 3; ++axis) {
            bodies->position[axis][n] = bodies->velocity[axis][n] = 0;
        }
        bodies->radius[n] = 0;
        bodies->mass[n] = 1;
        bodies->restitution[n] = (double)NAN;
        bodies->id[n] = n;
        bodies->category[n] = 1;
        bodies->mask[n] = UINT32_MAX;
    }
    return CAROM_EXIT_OK;
}

void carom_run_bodies_release(carom_run_bodies *bodies) {
    carom_heap_release(bodies->memory, bodies->bytes);
    *bodies = (carom_run_bodies){.count = 0};
}

carom_exit carom_run_bodies_round(carom_run_bodies *bodies, carom_locate *locate, const void *source) {
    const struct {
        double *array;
        const char *name;
    } arrays[] = {
        {bodies->position[0], "x"},  {bodies->position[1], "y"},  {bodies->position[2], "z"},
        {bodies->velocity[0], "vx"}, {bodies->velocity[1], "vy"}, {bodies->velocity[2], "vz"},
        {bodies->radius, "radius"},  {bodies->mass, "mass"},      {bodies->restitution, "restitution"},
    };
    carom_exit outcome = CAROM_EXIT_OK;
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays && outcome == CAROM_EXIT_OK; ++n) {
        outcome = carom_floats_check(arrays[n].array, bodies->count, arrays[n].name, locate, source);
        for (uint64_t body = 0; body < bodies->count; ++body) {
            arrays[n].array[body] = (double)(float)arrays[n].array[body];
        }
    }
    return outcome;
}

void carom_run_bodies_bounds(const carom_run_bodies *bodies, double lo[3], double hi[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        const double *at = bodies->position[axis];
        lo[axis] = bodies->count > 0 ? at[0] - bodies->radius[0] : 0;
        hi[axis] = bodies->count > 0 ? at[0] + bodies->radius[0] : 0;
        for (uint64_t n = 1; n < bodies->count; ++n) {
            lo[axis] = fmin(lo[axis], at[n] - bodies->radius[n]);
            hi[axis] = fmax(hi[axis], at[n] + bodies->radius[n]);
        }
    }
}
