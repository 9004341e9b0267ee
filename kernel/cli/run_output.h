/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The files of a run: events and frames, which grow with it, and state and snapshot, which are written after it. */
#ifndef CAROM_CLI_RUN_OUTPUT_H
#define CAROM_CLI_RUN_OUTPUT_H

#include "kernel/cli/run_loop.h"
#include "kernel/cli/run_options.h"

/* Opens the files that grow, and connects them with the loop; first sees to it that the others can be written.
 * *trajectory and loop->impacts outlive the loop. After a failure nothing is open. */
carom_exit carom_run_output_open(const carom_run_outputs *output, const char *const *surface_names,
                                 carom_trajectory *trajectory, carom_run_loop *loop);

/* Ends them. What was written until then stays, whatever the run came to. */
carom_exit carom_run_output_close(const carom_run_outputs *output, carom_run_loop *loop);

/* Writes the state and the snapshot after `steps` steps. */
carom_exit carom_run_output_finish(const carom_run_outputs *output, const carom_run_loop *loop, uint64_t steps);

#endif
