/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tells a file's format from its first lines, since names of files are often wrong or missing. */
#ifndef CAROM_IO_SNIFF_H
#define CAROM_IO_SNIFF_H

#include "kernel/io/text.h"

typedef enum carom_format {
    CAROM_FORMAT_UNKNOWN,
    CAROM_FORMAT_GRO,
    CAROM_FORMAT_XYZ,
    CAROM_FORMAT_CSV,
    CAROM_FORMAT_LAMMPS_DATA,
    CAROM_FORMAT_LAMMPS_DUMP,
    CAROM_FORMAT_NPY
} carom_format;

/* The format whose first lines look like the file's; UNKNOWN if none do. Whether the rest is well formed is for the
 * reader to say, with the line. */
carom_format carom_sniff(const carom_text *text);

#endif
