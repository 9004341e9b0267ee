/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that touch when a window begins, and those that join their groups. */
#ifndef CAROM_IMPACTS_TOUCHING_H
#define CAROM_IMPACTS_TOUCHING_H

#include "kernel/impacts/window.h"

/* Lets all bodies that touch one which has an impact when the window begins join its group. `own`: a worker's impacts
 * that are due, whose bodies have entries. Sets window->failed if there is no memory. */
void carom_touching_unite(carom_window *window, const carom_impacts_worker *own);

#endif
