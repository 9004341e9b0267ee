/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How long windows of time should be. The answer decides how fast a step is, and nothing else. */
#ifndef CAROM_IMPACTS_HORIZON_H
#define CAROM_IMPACTS_HORIZON_H

#include "kernel/impacts/window.h"

/* The longest first window, of one step and its halves, in which hulls have few neighbours that bodies at rest would
 * not have: an estimate from the volume of hulls, as if bodies filled the box around them evenly. */
double carom_horizon_first(const carom_impacts_bodies *bodies);

/* The window's end, after first impacts before window->end were predicted: an earlier one if there are many. */
double carom_horizon_end(const carom_window *window, uint32_t workers);

/* The length of the next window, if `impacts` were predicted in this one. */
double carom_horizon_next(const carom_window *window, uint64_t impacts);

/* First impacts before the window's end. */
uint64_t carom_horizon_impacts(const carom_window *window, uint32_t workers);

#endif
