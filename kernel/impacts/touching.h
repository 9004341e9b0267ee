/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that touch when a window begins, and those that join their groups. */
#ifndef CAROM_IMPACTS_TOUCHING_H
#define CAROM_IMPACTS_TOUCHING_H

#include "kernel/impacts/window.h"

/* Where two have an impact when the window begins, and one of them has several then, lets all bodies that touch either
 * of them join their group. `workers`: of the team; the bodies of their impacts that are due have entries. Sets
 * window->failed if there is no memory. */
void carom_touching_unite(carom_window *window, uint32_t workers);

#endif
