/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists by many workers, or of many bodies: by buckets. In: the rows. Out: the lists. */
#ifndef CAROM_DETECT_RESULTS_NEIGHBOUR_BUCKETS_TMPL_H
#define CAROM_DETECT_RESULTS_NEIGHBOUR_BUCKETS_TMPL_H

#include "kernel/detect/results/neighbour_lists_tmpl.h"

#define carom_neighbour_buckets_numbers CAROM_REAL(carom_neighbour_buckets_numbers)
#define carom_neighbour_buckets_fill CAROM_REAL(carom_neighbour_buckets_fill)

/* Numbers that so many workers need for so many bodies and entries. */
uint64_t carom_neighbour_buckets_numbers(uint64_t bodies, uint64_t entries, uint32_t workers);

/* Makes the lists, unless the call stops. `numbers` has room for so many. */
void carom_neighbour_buckets_fill(const carom_neighbour_lists *lists, uint64_t entries, uint64_t *numbers);

#endif
