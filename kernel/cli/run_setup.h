/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies and what is around them before the first step. */
#ifndef CAROM_CLI_RUN_SETUP_H
#define CAROM_CLI_RUN_SETUP_H

#include "carom/periodic.h"
#include "kernel/cli/run_bodies.h"
#include "kernel/cli/run_geometry.h"
#include "kernel/cli/run_rules.h"

typedef struct carom_run_setup {
    carom_run_bodies bodies;
    carom_run_geometry geometry;
    bool has_box;            /* there is a box, whether it repeats or not */
    bool is_periodic;        /* and it repeats along some edges */
    carom_periodic periodic; /* those edges, and along which it repeats */
    carom_run_rules rules;   /* that a scene's file gives; none of others */
} carom_run_setup;

#endif
