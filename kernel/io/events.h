/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The impacts of a run as one file that grows while the run goes on: .npy if the name says so, else CSV.
 *
 * CSV has the columns step, t, i, k, x, y, z, nx, ny, nz, impulse, with digits that read back to the same doubles. k is
 * the name of the surface where body i hit one.
 *
 * .npy has records of 88 bytes: step (u8), t (f8), i and k (i8), point and normal (f8, three each), impulse (f8). k is
 * -1 - s where body i hit surface s. */
#ifndef CAROM_IO_EVENTS_H
#define CAROM_IO_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"
#include "kernel/io/moment.h"
#include "kernel/io/output.h"
#include "kernel/io/write.h"

typedef struct carom_events {
    carom_output out;
    bool npy;
    uint64_t rows;                    /* that are written */
    const char *const *surface_names; /* of each surface, in its order; belongs to the caller */
} carom_events;

/* Begins the file. The path and the names of surfaces must stay valid until it is closed; names may be NULL if no row
 * names a surface, and for .npy. The rows are under the file's name when it is closed.
 * Errors: ARGUMENT (.npy to what is no ordinary file: the number of rows comes last and goes first), FILE, MEMORY; then
 * nothing is open. */
carom_status carom_events_open(const char *path, const char *const *surface_names, carom_events *events,
                               carom_error *error);

/* Adds rows. Errors: FILE; then the file can only be closed. */
carom_status carom_events_add(carom_events *events, const carom_impact_row *impacts, uint64_t count,
                              carom_error *error);

/* Ends the file; written may be NULL. Errors: FILE; then an earlier file of the name is as it was. */
carom_status carom_events_close(carom_events *events, carom_written *written, carom_error *error);

#endif
