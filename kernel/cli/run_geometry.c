/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_geometry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"

const char *const carom_run_geometry_kinds[CAROM_RUN_GEOMETRY_KINDS] = {"plane", "box", "pillar", "pipe"};

carom_exit carom_run_geometry_make(uint64_t room, carom_run_geometry *geometry) {
    *geometry = (carom_run_geometry){.room = room};
    geometry->surface = carom_heap_allocate(room * sizeof *geometry->surface);
    geometry->name = carom_heap_allocate(room * sizeof *geometry->name);
    geometry->names = carom_heap_allocate(room * sizeof *geometry->names);
    if (geometry->surface == NULL || geometry->name == NULL || geometry->names == NULL) {
        carom_say("no memory for %" PRIu64 " surfaces", room);
        return CAROM_EXIT_RESOURCES;
    }
    return CAROM_EXIT_OK;
}

void carom_run_geometry_release(carom_run_geometry *geometry) {
    carom_heap_release(geometry->surface, geometry->room * sizeof *geometry->surface);
    carom_heap_release(geometry->name, geometry->room * sizeof *geometry->name);
    carom_heap_release(geometry->names, geometry->room * sizeof *geometry->names);
    *geometry = (carom_run_geometry){.count = 0};
}

void carom_run_geometry_add(carom_run_geometry *geometry, const carom_surface *surface, const char *name) {
    const uint64_t n = geometry->count++;
    CAROM_ASSERT(n < geometry->room);
    geometry->surface[n] = *surface;
    if (name != NULL) {
        snprintf(geometry->name[n], CAROM_RUN_NAME_SIZE, "%s", name);
    } else {
        snprintf(geometry->name[n], CAROM_RUN_NAME_SIZE, "%s-%" PRIu64, carom_run_geometry_kinds[surface->kind], n);
    }
    geometry->names[n] = geometry->name[n];
}

/* Walls 0 to 5. */
static void name_wall(int wall, char name[CAROM_RUN_NAME_SIZE]) {
    snprintf(name, CAROM_RUN_NAME_SIZE, "wall%c%c", wall % 2 == 1 ? '+' : '-', "xyz"[wall / 2]);
}

bool carom_run_geometry_is_wall(const char *name) {
    bool is_wall = false;
    for (int wall = 0; wall < CAROM_RUN_WALLS; ++wall) {
        char other[CAROM_RUN_NAME_SIZE];
        name_wall(wall, other);
        is_wall = is_wall || strcmp(name, other) == 0;
    }
    return is_wall;
}

void carom_run_geometry_add_walls(carom_run_geometry *geometry, const double lo[3], const double hi[3]) {
    for (int wall = 0; wall < CAROM_RUN_WALLS; ++wall) {
        const int axis = wall / 2;
        const bool high = wall % 2 == 1;
        carom_surface plane = {.kind = CAROM_SURFACE_PLANE, .restitution = 1};
        char name[CAROM_RUN_NAME_SIZE];
        plane.at[axis] = high ? hi[axis] : lo[axis];
        plane.axis[0][axis] = high ? -1 : 1;
        name_wall(wall, name);
        carom_run_geometry_add(geometry, &plane, name);
    }
}
