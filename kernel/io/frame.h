/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies read from a file, before they are given to the library: positions at both ends of the step, radii, and
 * what the file says besides (names to select by, a periodic box, the line each body came from). */
#ifndef CAROM_IO_FRAME_H
#define CAROM_IO_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

enum { CAROM_NAME_SIZE = 16 };

typedef struct carom_frame {
    uint64_t count;
    uint64_t capacity; /* bodies the arrays have room for */
    double *prev[3];
    double *curr[3];
    double *radius;
    char (*name)[CAROM_NAME_SIZE]; /* atom or type name of each body, or NULL if the format has none */
    uint64_t *line;                /* line of each body, from 1; NULL in binary formats */
    bool has_motion;               /* false: the file has neither velocities nor a second frame; curr = prev */
    bool has_radius;               /* false: the file has none; radius = options.radius */
    bool has_box;
    double box_origin[3];
    double box[3][3];   /* edge vectors a, b, c in the rows (lower triangular in the formats read here) */
    const char *format; /* "gro", "xyz", "csv", "lammps-data", "lammps-dump", "npy" */
} carom_frame;

typedef struct carom_read_options {
    double radius;      /* of every body, overriding the file's; NaN: the file's, or an error if it has none */
    double dt;          /* curr = prev + velocity * dt, in the file's unit of time; default 1 */
    const char *select; /* keep only bodies whose name matches this glob (fnmatch), or NULL */
} carom_read_options;

carom_read_options carom_read_options_default(void);

/* Releases the arrays and zeroes *frame. NULL and a zeroed frame are allowed. */
void carom_frame_release(carom_frame *frame);

#endif
