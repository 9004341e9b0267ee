/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies into the cells of a grid. In: bodies, and their images. Out: the grid, and slots in the order of its cells. */
#ifndef CAROM_LISTS_PLACE_TMPL_H
#define CAROM_LISTS_PLACE_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_place CAROM_REAL(carom_lists_place)

/* *fits becomes false if there is no grid for these bodies, or some of them are not valid. Errors: MEMORY, CANCELLED.
 */
carom_status carom_lists_place(carom_lists_job *job, bool *fits);

#endif
