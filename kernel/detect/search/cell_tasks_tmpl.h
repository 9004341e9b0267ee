/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What searches of cells share: cells are cut into tasks, runs of cells with about as much work each, and workers have
 * arrays for the cell that they search. */
#ifndef CAROM_DETECT_SEARCH_CELL_TASKS_TMPL_H
#define CAROM_DETECT_SEARCH_CELL_TASKS_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_cell_tasks_size CAROM_REAL(carom_cell_tasks_size)
#define carom_cell_tasks_reserve CAROM_REAL(carom_cell_tasks_reserve)
#define carom_cell_tasks_begin CAROM_REAL(carom_cell_tasks_begin)
#define carom_cell_tasks_end CAROM_REAL(carom_cell_tasks_end)
#define carom_cell_tasks_reserve_space CAROM_REAL(carom_cell_tasks_reserve_space)
#define carom_cell_tasks_store_bodies CAROM_REAL(carom_cell_tasks_store_bodies)

/* Boxes in a task of a part of so many bodies. */
uint64_t carom_cell_tasks_size(uint64_t bodies);

/* Makes room for `more` tasks after those of earlier parts. Errors: MEMORY. */
carom_status carom_cell_tasks_reserve(carom_detect_job *job, uint64_t more);

/* Begins a new task at `begin`, where the one before it, if any from `first` on, ends. */
void carom_cell_tasks_begin(carom_detect_job *job, uint64_t first, uint32_t begin);

/* Ends the last task, if there is one from `first` on, before `end`. */
void carom_cell_tasks_end(carom_detect_job *job, uint64_t first, uint32_t end);

/* Makes the workers' workspaces for cells of up to so many entries; with 0 only for their hits. Errors: MEMORY. */
carom_status carom_cell_tasks_reserve_space(carom_detect_job *job, uint64_t entries);

/* Stores for the groups which bodies are in slots [begin, end). Only cells of the scene itself own slots; for deeper
 * parts, and where no groups are asked for, it does nothing. */
void carom_cell_tasks_store_bodies(const carom_detect_job *job, const carom_part *part, uint64_t begin, uint64_t end);

#endif
