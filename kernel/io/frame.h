/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies read from a file: positions at both ends of the step, radii, and what else the file says (names to select
 * by, a periodic box, the line of each body). Numbers are doubles whatever the precision of the detection. A caller
 * that wants floats rounds them, and can name the line of a number that is too large. */
#ifndef CAROM_IO_FRAME_H
#define CAROM_IO_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"
#include "kernel/io/format.h"

/* Bytes of a name with its '\0'. Longer names are cut. */
enum { CAROM_NAME_SIZE = 16 };

/* Bytes of a list of columns with its '\0'. Names that find no room are left out. */
enum { CAROM_SKIPPED_SIZE = 128 };

typedef struct carom_frame {
    uint64_t count;                   /* bodies, after a choice by name */
    uint64_t total;                   /* bodies in the file */
    uint64_t capacity;                /* bodies the arrays have room for, >= count */
    double *prev[3];                  /* positions at the start of the step, in the file's unit of length, finite */
    double *curr[3];                  /* positions at its end, or velocities (options.dynamics), finite */
    double *radius;                   /* in the same unit, >= 0 */
    double *mass;                     /* > 0, INFINITY too; NULL: not asked for, or the file has none */
    double *restitution;              /* 0 to 1; NULL: as for mass */
    uint64_t *id;                     /* each another; NULL: as for mass */
    char (*name)[CAROM_NAME_SIZE];    /* atom or type name of each body, or NULL if the format has none */
    uint64_t *line;                   /* line of each body, from 1; NULL in binary formats */
    bool has_motion;                  /* false: the file has neither velocities nor a second frame; curr = prev */
    bool has_radius;                  /* false: the file has none; radius = options.radius */
    bool has_box;                     /* the file has a periodic box; false: the next two are 0 */
    double box_origin[3];             /* its corner */
    double box[3][3];                 /* edge vectors a, b, c in the rows (lower triangular in the formats read here) */
    uint64_t box_line;                /* where the box stands, from 1; 0: there is none */
    char skipped[CAROM_SKIPPED_SIZE]; /* columns of a CSV that mean nothing here: "a, b" */
    const char *format;               /* "gro", "xyz", "csv", "lammps-data", "lammps-dump", "npy" */
} carom_frame;

typedef struct carom_read_options {
    double radius;       /* of every body, overriding the file's; NaN: the file's, or an error if it has none */
    double dt;           /* curr = prev + velocity * dt, in the file's unit of time; default 1 */
    const char *select;  /* keep only bodies whose name matches this glob (fnmatch), or NULL */
    carom_format format; /* of the file; UNKNOWN: told from its content */

    /* For a simulation. curr receives velocities: the file's, or curr - prev. Masses, restitutions and ids of CSV and
     * ids of LAMMPS are read too. dt is not used. */
    bool dynamics;
} carom_read_options;

/* The radii of the file, dt = 1, all bodies. */
carom_read_options carom_read_options_default(void);

/* Releases the arrays and zeroes *frame. NULL and a zeroed frame are allowed. */
void carom_frame_release(carom_frame *frame);

#endif
