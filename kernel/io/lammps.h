/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What LAMMPS data and dump files share: atoms by id. */
#ifndef CAROM_IO_LAMMPS_H
#define CAROM_IO_LAMMPS_H

#include "kernel/io/ids.h"
#include "kernel/io/reading.h"

/* Ids of the atoms read so far; count entries of heap. */
carom_status carom_lammps_ids_make(const carom_reading *reading, carom_id **ids);
void carom_lammps_ids_release(const carom_reading *reading, carom_id *ids);

/* Where the atom of an id is, of which the last line taken says more. Marks the entry with line 0, since it may be
 * asked for only once. Errors: FORMAT. */
carom_status carom_lammps_match(const carom_reading *reading, carom_id *ids, int64_t id, uint64_t *place);

/* An id at the last line taken. */
carom_status carom_lammps_read_id(const carom_reading *reading, carom_text_span field, int64_t *id);

/* Puts the bodies of the frame in order of their ids: prev, curr where it holds something, radius, names, lines.
 * Afterwards ids[n].place == n. Errors: FORMAT (an id stands twice), MEMORY. */
carom_status carom_lammps_order(carom_reading *reading, carom_id *ids);

#endif
