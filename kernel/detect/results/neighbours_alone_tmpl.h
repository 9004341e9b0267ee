/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists by one worker. In: the rows. Out: the lists. */
#ifndef CAROM_DETECT_RESULTS_NEIGHBOURS_ALONE_TMPL_H
#define CAROM_DETECT_RESULTS_NEIGHBOURS_ALONE_TMPL_H

#include "kernel/detect/results/neighbour_lists_tmpl.h"

#define carom_neighbours_alone_suits CAROM_REAL(carom_neighbours_alone_suits)
#define carom_neighbours_alone_fill CAROM_REAL(carom_neighbours_alone_fill)

/* Whether one worker is faster without buckets: it is alone, and its caches hold a counter for each body. */
bool carom_neighbours_alone_suits(const carom_neighbour_lists *lists);

/* Makes the lists, unless the call stops. */
void carom_neighbours_alone_fill(carom_neighbour_lists *lists);

#endif
