/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The readers, one for each format. A new one also needs its marks in sniff.c and a case in read.c. */
#ifndef CAROM_IO_READERS_H
#define CAROM_IO_READERS_H

#include "kernel/io/reading.h"

/* Each takes a file from its beginning and fills the frame: prev, curr as reading->motion says, and what else its
 * format has. Errors: FORMAT, ARGUMENT, MEMORY; the frame then holds what must be released. */
carom_status carom_gro_read(carom_reading *reading);
carom_status carom_xyz_read(carom_reading *reading);
carom_status carom_csv_read(carom_reading *reading);
carom_status carom_lammps_data_read(carom_reading *reading);
carom_status carom_lammps_dump_read(carom_reading *reading);
carom_status carom_npy_read(carom_reading *reading);

#endif
