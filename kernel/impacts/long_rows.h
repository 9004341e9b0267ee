/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows of giants among dust. A box around a giant is mostly corners, where dust lies that the giant cannot reach. The
 * bodies that it may touch while all stay in their hulls come first in its row, and verification looks at no others.
 * The rows of the dust name the giant all the same. */
#ifndef CAROM_IMPACTS_LONG_ROWS_H
#define CAROM_IMPACTS_LONG_ROWS_H

#include "kernel/impacts/hulls.h"
#include "kernel/impacts/rows.h"

/* Orders the long rows. */
void carom_long_rows_order(const carom_impacts_rows *rows, const carom_team *team, const carom_impacts_bodies *bodies,
                           const carom_hulls *hulls);

/* Bodies have left their hulls, and all of these are wider now. Notes for one of them its own row, if that is long, and
 * the long rows of neighbours that may touch it now. False if there is no memory. */
bool carom_long_rows_note(carom_impacts_rows *rows, carom_memory *memory, const carom_impacts_bodies *bodies,
                          const carom_hulls *hulls, uint32_t slot);

/* Orders all rows that were noted, by all workers. `escaped`: a bit for each slot, of those bodies. */
void carom_long_rows_renew(carom_impacts_rows *rows, const carom_team *team, const carom_impacts_bodies *bodies,
                           const carom_hulls *hulls, const uint64_t *escaped);

/* Where that part of a row ends that may be touched. Its extras may be, too. */
uint64_t carom_long_rows_end(const carom_impacts_rows *rows, uint32_t slot);

/* A walk along that part and the extras, and how many entries it has. */
carom_row_walk carom_long_rows_begin(const carom_impacts_rows *rows, uint32_t slot);
uint64_t carom_long_rows_count(const carom_impacts_rows *rows, uint32_t slot);

#endif
