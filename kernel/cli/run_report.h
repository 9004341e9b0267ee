/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom run` reports: what ran, the impacts, energy and momentum before and after, the hash of the state, and
 * the times of all steps. */
#ifndef CAROM_CLI_RUN_REPORT_H
#define CAROM_CLI_RUN_REPORT_H

#include "kernel/cli/run_loop.h"
#include "kernel/cli/run_start.h"

/* All that a report is made of. */
typedef struct carom_run_facts {
    const carom_run_options *options;
    const carom_run_start *start;
    const carom_context *context;
    const carom_step_config *config; /* of the world */
    const carom_run_measured *measured;
    bool wide;      /* the world is in double */
    uint64_t steps; /* that were asked for */
    double virial;  /* of the impacts between bodies */
} carom_run_facts;

/* Prints the report as a table, or as JSON with --json. RESOURCES if that fails. */
carom_exit carom_run_report_print(const carom_run_facts *facts);

#endif
