/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For how long a time a search for neighbours should be. A hull is a box around a whole path. Where bodies go far,
 * hulls for twice the time meet up to eight times as many others: then several searches for short times cost less. */
#ifndef CAROM_IMPACTS_SEARCH_LENGTH_H
#define CAROM_IMPACTS_SEARCH_LENGTH_H

#include "kernel/impacts/window.h"

/* When a search should end that begins with the window and was to end at `end`: then, earlier by some halvings of its
 * length, or with the step, of which the one that costs the least for its time. `reach`: the step's
 * (kernel/impacts/state.h), before which such a later end must be; INFINITY: nothing responds. Before a long search
 * some short ones are tried, for what is known may not stay so. `spent`, on these: 0 when a step begins, and the same
 * number for all its searches. Needs the frame of window->hulls. In a periodic box the end is not later than `end`. */
double carom_search_length_end(const carom_window *window, double end, double reach, double *spent);

#endif
