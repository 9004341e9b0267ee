/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Walks the list. In: records and list. Out: counts, rows, and the bits of the pairs that touch. */
#ifndef CAROM_COHERENT_WALK_TMPL_H
#define CAROM_COHERENT_WALK_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_walk_list CAROM_REAL(carom_walk_list)
#define carom_walk_tasks CAROM_REAL(carom_walk_tasks)
#define carom_walk_bytes CAROM_REAL(carom_walk_bytes)

/* Walks the list: counts and rows. */
carom_status carom_walk_list(carom_coherent_step *step);

/* Tasks of a list that has room for so many pairs, and bytes of what a walk keeps with the list. */
uint64_t carom_walk_tasks(uint64_t room);
uint64_t carom_walk_bytes(uint64_t workers, uint64_t room);

#endif
