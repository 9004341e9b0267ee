/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bodies with which a run begins, in double whatever the run's precision. */
#ifndef CAROM_CLI_RUN_BODIES_H
#define CAROM_CLI_RUN_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cli/floats.h"
#include "kernel/cli/say.h"

typedef struct carom_run_bodies {
    uint64_t count;
    double *position[3];
    double *velocity[3];
    double *radius;
    double *mass;        /* 1 unless given */
    double *restitution; /* NaN: the run's */
    uint64_t *id;        /* 0, 1, ... unless given */
    uint32_t *category;  /* 1 unless given */
    uint32_t *mask;      /* all bits unless given */
    void *memory;        /* one allocation behind all arrays */
    uint64_t bytes;      /* of it */
} carom_run_bodies;

/* Makes room for `count` bodies at rest, with the defaults above; positions and radii are 0. RESOURCES, with a message,
 * without memory. Release also after a failure. */
carom_exit carom_run_bodies_make(uint64_t count, carom_run_bodies *bodies);
void carom_run_bodies_release(carom_run_bodies *bodies);

/* Rounds all numbers to floats. INPUT, with a message that names the body, if one becomes infinite that was not. */
carom_exit carom_run_bodies_round(carom_run_bodies *bodies, carom_locate *locate, const void *source);

/* Bounds of all bodies with their radii; 0 without bodies. */
void carom_run_bodies_bounds(const carom_run_bodies *bodies, double lo[3], double hi[3]);

#endif
