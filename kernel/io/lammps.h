/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What LAMMPS data and dump files share: atoms come in any order, and bodies shall come in the order of their ids, so
 * that body n is the same atom in every frame and file of a run. */
#ifndef CAROM_IO_LAMMPS_H
#define CAROM_IO_LAMMPS_H

#include "kernel/io/ids.h"
#include "kernel/io/reading.h"

/* Ids of the atoms read so far; count entries of heap. */
carom_status carom_lammps_ids_make(const carom_reading *reading, carom_id **ids);
void carom_lammps_ids_release(const carom_reading *reading, carom_id *ids);

/* The place of the atom with this id, for a second line about it (a velocity, a second frame). Each atom may have one
 * such line: its entry gets line 0. Errors: FORMAT (no such atom, or asked for twice). */
carom_status carom_lammps_match(const carom_reading *reading, carom_id *ids, int64_t id, uint64_t *place);

/* Reads an id from a field of the last line taken. Errors: FORMAT. */
carom_status carom_lammps_read_id(const carom_reading *reading, carom_text_span field, int64_t *id);

/* Puts the bodies of the frame in order of their ids: prev, curr where it holds something, radius, names, lines.
 * Afterwards ids[n].place == n. Errors: FORMAT (an id stands twice), MEMORY. */
carom_status carom_lammps_order(carom_reading *reading, carom_id *ids);

#endif
