/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Walks the list. In: records of this step, and the list. Out: counts, rows, and a bit for each pair that touches. Box
 * tests and decisions are those of cold detection, so the results have the same bits. Tasks are runs of the list, the
 * same for every number of workers, so the rows have the same order. */
#ifndef CAROM_COHERENT_WALK_TMPL_H
#define CAROM_COHERENT_WALK_TMPL_H

#include "kernel/coherent/step_tmpl.h"

#define carom_walk_list CAROM_REAL(carom_walk_list)
#define carom_walk_tasks CAROM_REAL(carom_walk_tasks)
#define carom_walk_bytes CAROM_REAL(carom_walk_bytes)

/* Errors: MEMORY, CAPACITY, STOPPED, CANCELLED. */
carom_status carom_walk_list(carom_coherent_step *step);

/* Tasks of a list that has room for so many pairs, and so many apart, and bytes of what a walk keeps with the list. */
uint64_t carom_walk_tasks(uint64_t room, uint64_t apart);
uint64_t carom_walk_bytes(uint64_t workers, uint64_t room, uint64_t apart);

#endif
