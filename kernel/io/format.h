/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The formats of files, and their names. */
#ifndef CAROM_IO_FORMAT_H
#define CAROM_IO_FORMAT_H

typedef enum carom_format {
    CAROM_FORMAT_UNKNOWN,
    CAROM_FORMAT_GRO,
    CAROM_FORMAT_XYZ,
    CAROM_FORMAT_CSV,
    CAROM_FORMAT_LAMMPS_DATA,
    CAROM_FORMAT_LAMMPS_DUMP,
    CAROM_FORMAT_NPY
} carom_format;

/* "gro", "xyz", "csv", "lammps-data", "lammps-dump", "npy", a constant string; NULL for UNKNOWN. */
const char *carom_format_name(carom_format format);

/* The format that the suffix of a file's name names: .npy, .csv or .xyz; UNKNOWN for any other. */
carom_format carom_format_of_suffix(const char *path);

#endif
