/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* VTK PolyData (.vtp): points with values, XML before raw numbers in this machine's byte order, and collections (.pvd),
 * which say when each file is. ParaView and VisIt read them. A file is there as a whole or not at all. */
#ifndef CAROM_IO_VTP_H
#define CAROM_IO_VTP_H

#include <stdint.h>

#include "carom/status.h"
#include "kernel/io/moment.h"

/* Bodies: their centres with id, velocity, radius and mass; floats or doubles as the moment has them. Field data:
 * TimeValue, Step, and in a periodic box Box (three edges) and Corner. Errors: FILE, MEMORY. */
carom_status carom_vtp_write_bodies(const char *path, const carom_moment *moment, carom_error *error);

/* Impacts that belong to a moment: their points with time, normal and impulse. Errors: FILE, MEMORY. */
carom_status carom_vtp_write_impacts(const char *path, const carom_moment *moment, const carom_impact_row *impacts,
                                     uint64_t count, carom_error *error);

/* A collection of the files <stem>_000000.vtp, <stem>_000001.vtp, ... with their times. Errors: FILE, MEMORY. */
carom_status carom_vtp_write_list(const char *path, const char *stem, const double *time, uint64_t count,
                                  carom_error *error);

#endif
