/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Readers and writers of files. The groups are in the files test_io_*.c beside this one. */
#include <stdio.h>

#include "tests/support/io_files.h"
#include "tests/support/io_groups.h"
#include "tests/support/note.h"

int main(int count, char **arguments) {
    static int (*const groups[])(void) = {
        io_number_tests,      io_gro_tests,         io_xyz_tests,     io_csv_tests,   io_dynamics_tests,
        io_lammps_data_tests, io_lammps_dump_tests, io_npy_tests,     io_frame_tests, io_write_tests,
        io_output_tests,      io_load_tests,        io_hostile_tests, io_run_tests,
    };
    int failures = 0;
    note_start(count > 0 ? arguments[0] : "test_io");
    if (!io_scratch_make()) {
        perror("scratch folder");
        return 1;
    }
    for (size_t n = 0; n < sizeof groups / sizeof *groups; n++) {
        failures += groups[n]() != 0;
    }
    io_scratch_remove();
    return failures != 0;
}
