/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A folder that shows a run: frame after frame, for viewers.
 *
 *   frames.xyz          extended XYZ, all frames (xyz_frame.h)
 *   frame_000000.vtp    VTK PolyData, a file for each frame (vtp.h); frames.pvd lists them with their times
 *   impacts_000000.vtp  the impacts since the frame before; impacts.pvd lists them
 *
 * Whenever a program ends, frames.xyz has whole frames and the lists name whole files. Files of an earlier run that
 * this one does not replace stay, but nothing lists them. */
#ifndef CAROM_IO_TRAJECTORY_H
#define CAROM_IO_TRAJECTORY_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"
#include "kernel/io/moment.h"
#include "kernel/io/output.h"

/* What a folder gets: bits. */
enum { CAROM_TRAJECTORY_XYZ = 1, CAROM_TRAJECTORY_VTK = 2 };

/* Stays where it was opened: it points into itself. */
typedef struct carom_trajectory {
    unsigned formats; /* bits as above */
    uint64_t frames;  /* that are written */
    uint64_t room;    /* entries of time */
    double *time;     /* of each frame */
    carom_output xyz; /* frames.xyz; open if formats say so */
    char folder[PATH_MAX];
    char xyz_path[PATH_MAX];
} carom_trajectory;

/* Makes the folder if it is not there, and begins. Errors: ARGUMENT (the name is too long), FILE, MEMORY; then nothing
 * is open. */
carom_status carom_trajectory_open(const char *folder, unsigned formats, carom_trajectory *trajectory,
                                   carom_error *error);

/* Adds a frame, with the impacts since the frame before. Errors: FILE, MEMORY; then the frame is not there, and the
 * trajectory can only be closed. */
carom_status carom_trajectory_add(carom_trajectory *trajectory, const carom_moment *moment,
                                  const carom_impact_row *impacts, uint64_t impact_count, carom_error *error);

/* Whether the folder has a file of the frame that would come next: an earlier trajectory in it was longer. */
bool carom_trajectory_was_longer(const carom_trajectory *trajectory);

/* Ends it. Frames that were added stay. Errors: FILE. */
carom_status carom_trajectory_close(carom_trajectory *trajectory, carom_error *error);

#endif
