/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Windows. In: worlds that are left. Out: the tasks of the next window, and after the search where their rows go. */
#ifndef CAROM_WORLDS_WINDOW_TMPL_H
#define CAROM_WORLDS_WINDOW_TMPL_H

#include "kernel/worlds/job_tmpl.h"

#define carom_worlds_window_reserve CAROM_REAL(carom_worlds_window_reserve)
#define carom_worlds_window_fill CAROM_REAL(carom_worlds_window_fill)
#define carom_worlds_window_place CAROM_REAL(carom_worlds_window_place)
#define carom_worlds_window_give_chunks CAROM_REAL(carom_worlds_window_give_chunks)

/* Room for a window's records and tasks and for each worker's block and claims. Errors: MEMORY. */
carom_status carom_worlds_window_reserve(carom_worlds_job *job);

/* Makes tasks of the worlds from next_world on, up to a large one. None if that is the next. */
void carom_worlds_window_fill(carom_worlds_job *job);

/* Places the rows of the tasks after those so far, and adds up what the window's worlds hold. */
void carom_worlds_window_place(carom_worlds_job *job);

/* Gives back the chunks that tasks keep from window to window. No worker uses the pool meanwhile. */
void carom_worlds_window_give_chunks(carom_worlds_job *job);

#endif
