/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups of bodies that have impacts in a window. */
#ifndef CAROM_IMPACTS_DUE_GROUPS_H
#define CAROM_IMPACTS_DUE_GROUPS_H

#include "kernel/impacts/window.h"
#include "kernel/sys/team.h"

/* Begins the window's entries and groups: bodies that pending impacts before its end connect are in one group, and so
 * are those that carom_touching_unite adds. All are dirty. Sets window->failed if there is no memory. */
void carom_due_groups(carom_window *window, const carom_team *team);

#endif
