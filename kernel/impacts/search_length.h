/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For how long a time a search for neighbours should be. A hull is a box around a whole path. Where bodies go far,
 * hulls for twice the time meet up to eight times as many others: then several searches for short times cost less. */
#ifndef CAROM_IMPACTS_SEARCH_LENGTH_H
#define CAROM_IMPACTS_SEARCH_LENGTH_H

#include "kernel/impacts/window.h"

/* How long a search should be that begins with the window: `length`, in steps, or that halved some times, of which the
 * one that costs the least for its time. What hulls would meet is estimated from pairs of a sample of bodies, which
 * tells more than densities do: bodies may be in a few swarms far apart. Needs the frame of window->hulls. In a box
 * that repeats along all axes `length`: densities are known there (kernel/impacts/horizon.h). */
double carom_search_length(const carom_window *window, double length);

#endif
