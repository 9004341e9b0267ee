/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which body a handle of an event names: its id and its radius. */
#ifndef CAROM_CLI_RUN_ROSTER_H
#define CAROM_CLI_RUN_ROSTER_H

#include "kernel/cli/run_world.h"

typedef struct carom_run_member {
    carom_handle handle;
    uint64_t id;
    double radius;
} carom_run_member;

/* Zero-initialise before the first use. */
typedef struct carom_run_roster {
    carom_run_member *member; /* by handle */
    uint64_t count;
    uint64_t room;
} carom_run_roster;

/* Lists the bodies that the world has now, of which `view` was just read. Errors: MEMORY. */
carom_status carom_run_roster_list(const carom_run_world *world, const carom_run_view *view, carom_run_roster *roster,
                                   carom_error *error);

/* The body of a handle that is listed. */
const carom_run_member *carom_run_roster_find(const carom_run_roster *roster, carom_handle handle);

void carom_run_roster_release(carom_run_roster *roster);

#endif
