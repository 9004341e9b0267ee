/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/format.h"

#include <stddef.h>
#include <string.h>

const char *carom_format_name(carom_format format) {
    static const char *const names[] = {
        [CAROM_FORMAT_UNKNOWN] = NULL,
        [CAROM_FORMAT_GRO] = "gro",
        [CAROM_FORMAT_XYZ] = "xyz",
        [CAROM_FORMAT_CSV] = "csv",
        [CAROM_FORMAT_LAMMPS_DATA] = "lammps-data",
        [CAROM_FORMAT_LAMMPS_DUMP] = "lammps-dump",
        [CAROM_FORMAT_NPY] = "npy",
    };
    return names[format];
}

carom_format carom_format_of_suffix(const char *path) {
    static const carom_format written[] = {CAROM_FORMAT_NPY, CAROM_FORMAT_CSV, CAROM_FORMAT_XYZ};
    const char *dot = strrchr(path, '.');
    for (size_t n = 0; dot != NULL && n < sizeof written / sizeof *written; n++) {
        if (strcmp(dot + 1, carom_format_name(written[n])) == 0) {
            return written[n];
        }
    }
    return CAROM_FORMAT_UNKNOWN;
}
