/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How long windows of time should be, and the times between searches for neighbours. The answer decides how fast a step
 * is, and nothing else. */
#ifndef CAROM_IMPACTS_HORIZON_H
#define CAROM_IMPACTS_HORIZON_H

#include "kernel/impacts/window.h"
#include "kernel/sys/team.h"

/* The longest time before the next search, of one step and its halves, in which hulls have few neighbours that bodies
 * at rest would not have: an estimate from the volume of hulls, as if bodies filled the box around them evenly. */
double carom_horizon_first(const carom_window *window);

/* How long the first search of a step should last, where those before have led to `length`: no longer, and less in a
 * periodic box if bodies have become so fast that each would meet many images. */
double carom_horizon_start(const carom_window *window, double length);

/* The share of the usual impacts that the next window should have, after one whose largest group had so many members: a
 * group is simulated by one worker, in a time that may grow as its square. */
double carom_horizon_share(double share, uint64_t largest);

/* Where the window that begins at window->begin should end: with the hulls, or earlier if many impacts are pending. */
double carom_horizon_end(const carom_window *window, const carom_team *team, double share);

/* When the hulls should end that begin with a step. Where bodies overlap, many have impacts at that very moment, with
 * which hulls do not serve any more: they end with it. `many`: so many impacts; 0: as many as make that worth while. */
double carom_horizon_moment(const carom_window *window, const carom_team *team, uint64_t many);

/* When hulls should end at which bodies that have an impact leave them: before there are more than so many. */
double carom_horizon_before(const carom_window *window, const carom_team *team, double most);

/* How long the search should last that follows one whose hulls ended with a moment, `length` before: in a periodic box
 * bodies may be so fast after its impacts that each would meet thousands of images. */
double carom_horizon_after_moment(const carom_window *window, double length);

/* How long it takes at most, in steps, until there are as many impacts as a search should be for, if `impacts` happened
 * in the time of the last one. */
double carom_horizon_reach(const carom_window *window, uint64_t impacts);

/* How many impacts of a body in a step that is. `reach` 0: nobody knows, and a search for `length` may well have all.
 */
double carom_horizon_impacts(double reach, double length);

/* How long the next search should last, if `impacts` happened in the time of the last one. */
double carom_horizon_next(const carom_window *window, uint64_t impacts);

#endif
