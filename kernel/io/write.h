/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Writers. Numbers in text read back to the same value. A file is there as a whole or not at all (output.h). */
#ifndef CAROM_IO_WRITE_H
#define CAROM_IO_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "carom/detect.h"
#include "carom/status.h"
#include "kernel/io/format.h"
#include "kernel/io/moment.h"

/* The numbers of bodies in a file. */
typedef enum carom_write_precision {
    CAROM_WRITE_EXACT, /* read as floats and as doubles they are the same: f4 in .npy, 17 digits in text */
    CAROM_WRITE_F32,   /* f4, or 9 digits, which give the same floats but other doubles */
    CAROM_WRITE_F64    /* f8, or 17 digits */
} carom_write_precision;

typedef struct carom_write_options {
    carom_format format;             /* NPY, CSV or for bodies XYZ; UNKNOWN: what the suffix names */
    carom_write_precision precision; /* of bodies */
    const double *box;               /* three lengths, into formats that have a box: XYZ; NULL: none */
    bool children;                   /* pairs: with the children of compounds, also if there are none */
    bool shifts;                     /* pairs: with the shifts of a periodic box, also if there are none */
    bool all_pairs;                  /* pairs: every row, with what every box pair has; else touching ones */
} carom_write_options;

/* What was written, for a message. */
typedef struct carom_written {
    uint64_t rows;  /* bodies, pairs or members */
    bool replaced;  /* an earlier file of the name */
    const char *to; /* the path, or "standard output" */
} carom_written;

/* The format that would be written: what the options say, else what the suffix names; UNKNOWN if neither does. */
carom_format carom_write_bodies_format(const char *path, const carom_write_options *options);

/* Bodies: .npy (N x 7: prev, curr, radius), .csv, .xyz (extended, two frames).
 * options and written may be NULL. Errors: ARGUMENT (no such format), FILE, MEMORY. */
carom_status carom_write_bodies_f32(const char *path, const carom_bodies_f32 *bodies,
                                    const carom_write_options *options, carom_written *written, carom_error *error);

/* Contacts as .npy if the suffix says so, else as CSV. Touching pairs (rows without t_toi are left out): i, k, t_ca,
 * distance, t_toi, normal, point, and shift, child_i and child_k where the detection has them. All pairs: i, k, t_ca,
 * distance, t_toi (empty, in .npy NaN, where the pair does not touch), and the same.
 * options and written may be NULL. Errors: FILE, MEMORY. */
carom_status carom_write_pairs_f32(const char *path, const carom_detection_f32 *detection,
                                   const carom_write_options *options, carom_written *written, carom_error *error);
carom_status carom_write_pairs_f64(const char *path, const carom_detection_f64 *detection,
                                   const carom_write_options *options, carom_written *written, carom_error *error);

/* Member lists in the same formats: group, body; the group is its label. */
carom_status carom_write_groups(const char *path, const carom_groups *groups, const carom_write_options *options,
                                carom_written *written, carom_error *error);

/* Bodies at the end of a run: id, x, y, z, vx, vy, vz, as .npy if the suffix says so, else as CSV.
 * options and written may be NULL; of options only the format counts. Errors: FILE, MEMORY. */
carom_status carom_write_state(const char *path, const carom_moment *moment, const carom_write_options *options,
                               carom_written *written, carom_error *error);

#endif
