/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Atoms by their ids, for formats that list them in any order. Readers note id, place and line of each atom in the
 * order of the file, sort these, and move the arrays at the end: one pass each, and no id needs to be small. */
#ifndef CAROM_IO_IDS_H
#define CAROM_IO_IDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct carom_id {
    int64_t id;     /* any number, as the file has it */
    uint64_t place; /* where the atom was read to */
    uint64_t line;  /* in the file, from 1; 0: taken already */
} carom_id;

/* Sorts by id. Returns NULL, or the first entry whose id an earlier line has too. */
const carom_id *carom_ids_sort(carom_id *ids, uint64_t count);

/* The entry of an id in a sorted list, or NULL. */
const carom_id *carom_ids_find(const carom_id *ids, uint64_t count, int64_t id);

/* value[n] becomes what was at ids[n].place, for each n. Needs `count` elements of workspace. */
void carom_ids_apply(const carom_id *ids, uint64_t count, double *value, double *work);

#endif
