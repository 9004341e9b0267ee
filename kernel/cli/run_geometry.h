/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The surfaces of a run and their names, which the file of events gives where a body hit one. */
#ifndef CAROM_CLI_RUN_GEOMETRY_H
#define CAROM_CLI_RUN_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/surface.h"
#include "kernel/cli/say.h"

/* Surfaces that --walls adds. */
enum { CAROM_RUN_WALLS = 6 };

/* Bytes of a name with its '\0'. */
enum { CAROM_RUN_NAME_SIZE = 64 };

typedef struct carom_run_geometry {
    uint64_t count;
    uint64_t room; /* for surfaces and names */
    carom_surface *surface;
    char (*name)[CAROM_RUN_NAME_SIZE];
    const char **names; /* of each surface, in its order */
} carom_run_geometry;

/* Makes room for `room` surfaces. RESOURCES, with a message, without memory. Release also after a failure. */
carom_exit carom_run_geometry_make(uint64_t room, carom_run_geometry *geometry);
void carom_run_geometry_release(carom_run_geometry *geometry);

/* Whether a name is that of one of the walls. */
bool carom_run_geometry_is_wall(const char *name);

/* Adds a surface. name NULL: its kind and number, such as "plane-0". */
void carom_run_geometry_add(carom_run_geometry *geometry, const carom_surface *surface, const char *name);

/* Adds six planes around a box: wall-x at lo[0], wall+x at hi[0], wall-y, ... */
void carom_run_geometry_add_walls(carom_run_geometry *geometry, const double lo[3], const double hi[3]);

/* "plane", "box", "pillar", "pipe", in the order of carom_surface_kind. */
enum { CAROM_RUN_GEOMETRY_KINDS = 4 };
extern const char *const carom_run_geometry_kinds[CAROM_RUN_GEOMETRY_KINDS];

#endif
