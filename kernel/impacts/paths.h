/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The paths of bodies in a window while their groups are simulated: pieces in a worker's list, each body's in a chain.
 */
#ifndef CAROM_IMPACTS_PATHS_H
#define CAROM_IMPACTS_PATHS_H

#include "kernel/impacts/window.h"

/* Makes a body's path what it was when the window began. From now on the path is the worker's. */
void carom_paths_begin(const carom_window *window, carom_active *active, uint32_t worker);

/* Appends a piece to the path, with its coarse path, and whether the body stays in its hull. A body that does not gets
 * a wider one, and is noted in own->escape. Sets own->failed if there is no memory. */
void carom_paths_put(const carom_window *window, carom_active *active, const carom_piece *piece,
                     const carom_coarse_path *coarse, bool stays);

/* The same, where neither is known. */
void carom_paths_append(const carom_window *window, carom_active *active, const carom_piece *piece);

#endif
