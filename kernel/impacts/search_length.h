/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For how long a time a search for neighbours should be. A hull is a box around a whole path. Where bodies go far,
 * hulls for twice the time meet up to eight times as many others: then several searches for short times cost less. */
#ifndef CAROM_IMPACTS_SEARCH_LENGTH_H
#define CAROM_IMPACTS_SEARCH_LENGTH_H

#include "kernel/impacts/window.h"

/* What is known of the time from the window's beginning on, in steps. */
typedef struct carom_search_outlook {
    double length;  /* that a search was to be for */
    double longest; /* that it may be for; less than `length`: no longer than that */
    double impacts; /* of a body in a step */
} carom_search_outlook;

/* How long a search should be that begins with the window: `length`, that halved some times, or `longest`, of which the
 * one that costs the least for its time. What hulls would meet is estimated from pairs of a sample of bodies, which
 * tells more than a density does: bodies may be in a few swarms far apart. Needs the frame of window->hulls. In a box
 * that repeats along all axes `length`, for pairs there meet at many images: only its density is looked at
 * (kernel/impacts/horizon.h). */
double carom_search_length(const carom_window *window, const carom_search_outlook *outlook);

#endif
