/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Cells that are not swept (linked cells): each body is tested against those of its own cell and of the adjacent ones.
 * For crowded scenes, in which a sweep passes many boxes that do not overlap, and sorts each in several cells. */
#ifndef CAROM_DETECT_SEARCH_ADJACENT_TMPL_H
#define CAROM_DETECT_SEARCH_ADJACENT_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_adjacent_fits CAROM_REAL(carom_adjacent_fits)
#define carom_adjacent_search CAROM_REAL(carom_adjacent_search)
#define carom_adjacent_bytes CAROM_REAL(carom_adjacent_bytes)

/* Finds how many candidates a cell of the scene's partition has at most, for the search. Returns whether they are not
 * so many that cells should rather be swept. */
bool carom_adjacent_fits(carom_detect_job *job);

/* Searches the cells of the scene, which is partitioned by an adjacent plan, on all workers. Errors: MEMORY, CANCELLED.
 */
carom_status carom_adjacent_search(carom_detect_job *job, carom_part *scene);

/* For a scene of which little is known: bytes of what a search takes besides tasks and the workers' hits. */
uint64_t carom_adjacent_bytes(uint64_t workers, uint64_t bodies);

#endif
