/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches the cells of a part. In: the partition. Out: counts, rows and unions from all cells but the crowded ones,
 * which are listed in the part. */
#ifndef CAROM_DETECT_SEARCH_CELLS_TMPL_H
#define CAROM_DETECT_SEARCH_CELLS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_cells_search CAROM_REAL(carom_cells_search)
#define carom_cells_store_all CAROM_REAL(carom_cells_store_all)
#define carom_cells_bytes CAROM_REAL(carom_cells_bytes)
#define carom_cells_tasks CAROM_REAL(carom_cells_tasks)
#define carom_cells_ranges CAROM_REAL(carom_cells_ranges)

/* Searches the cells of `part` on all workers. Errors: MEMORY, CANCELLED. */
carom_status carom_cells_search(carom_detect_job *job, carom_part *part);

/* Stores for the groups which bodies are in slots [begin, end). Only cells of the scene itself own slots; for deeper
 * parts, and where no groups are asked for, it does nothing. Outside tasks. */
void carom_cells_store_all(const carom_detect_job *job, const carom_part *part, uint64_t begin, uint64_t end);

/* For a scene of `bodies` bodies of which little is known: bytes of the workers' arrays for cells, and number of tasks.
 * Upper bounds for scenes like the standard ones, swept: also where all bodies are in one cell; a crowded place in
 * another scene may take more. */
uint64_t carom_cells_bytes(uint64_t workers, uint64_t bodies, bool swept);
uint64_t carom_cells_tasks(uint64_t bodies);

/* Most tasks that one cell is cut into. */
uint64_t carom_cells_ranges(void);

#endif
