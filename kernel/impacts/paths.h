/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The paths of bodies in a window while their groups are simulated: pieces in a worker's list, each body's in a chain.
 */
#ifndef CAROM_IMPACTS_PATHS_H
#define CAROM_IMPACTS_PATHS_H

#include "kernel/impacts/window.h"

/* Makes a body's path what it was when the window began. From now on the path is the worker's. */
void carom_paths_begin(const carom_window *window, carom_active *active, uint32_t worker);

/* Appends a piece that begins at `start` to the path. The caller is to set its piece and coarse path. NULL, and
 * own->failed, if there is no memory. */
carom_path_piece *carom_paths_add(const carom_window *window, carom_active *active, double start);

/* Widens the hull of a body that leaves it on a new piece, and notes that in own->escape. Sets own->failed if there is
 * no memory. */
void carom_paths_escape(const carom_window *window, carom_active *active, const carom_piece *piece);

/* Appends a piece to the path, with its coarse path. False, and own->failed, if there is no memory. */
bool carom_paths_put(const carom_window *window, carom_active *active, const carom_piece *piece);

/* Looks whether the body leaves its hull on a new piece. */
void carom_paths_check(const carom_window *window, carom_active *active, const carom_piece *piece);

/* carom_paths_put, and if there was memory carom_paths_check. */
void carom_paths_append(const carom_window *window, carom_active *active, const carom_piece *piece);

#endif
