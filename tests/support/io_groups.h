/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The groups of tests that make up test_io. Each returns how many of its tests failed. */
#ifndef CAROM_TESTS_IO_GROUPS_H
#define CAROM_TESTS_IO_GROUPS_H

int io_number_tests(void);
int io_gro_tests(void);
int io_xyz_tests(void);
int io_csv_tests(void);
int io_dynamics_tests(void);
int io_lammps_data_tests(void);
int io_lammps_dump_tests(void);
int io_npy_tests(void);
int io_frame_tests(void);
int io_write_tests(void);
int io_output_tests(void);
int io_load_tests(void);
int io_hostile_tests(void);
int io_run_tests(void);

#endif
