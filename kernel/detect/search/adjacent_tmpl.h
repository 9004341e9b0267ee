/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Cells that are not swept (linked cells): each body is tested against those of its own cell and of the adjacent ones.
 * For crowded scenes, in which a sweep passes many boxes that do not overlap, and sorts each in several cells. */
#ifndef CAROM_DETECT_SEARCH_ADJACENT_TMPL_H
#define CAROM_DETECT_SEARCH_ADJACENT_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_adjacent_fits CAROM_REAL(carom_adjacent_fits)
#define carom_adjacent_search CAROM_REAL(carom_adjacent_search)
#define carom_adjacent_reserve CAROM_REAL(carom_adjacent_reserve)

/* Notes in the part, which is the scene, how many candidates a cell of its partition has at most: the search makes room
 * for them. Returns false if they are so many that cells should rather be swept. */
bool carom_adjacent_fits(carom_detect_job *job, carom_part *part);

/* Makes room for the search: boxes of all bodies, workers' candidates. After carom_adjacent_fits. Errors: MEMORY. */
carom_status carom_adjacent_reserve(carom_detect_job *job, const carom_part *part);

/* Searches the cells of the scene, which is partitioned by an adjacent plan, on all workers. Errors: MEMORY, CANCELLED.
 */
carom_status carom_adjacent_search(carom_detect_job *job, carom_part *scene);

#endif
