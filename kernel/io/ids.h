/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Atoms by their ids, for formats that list them in any order. */
#ifndef CAROM_IO_IDS_H
#define CAROM_IO_IDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct carom_id {
    int64_t id;
    uint64_t place; /* where the atom was read to */
    uint64_t line;
} carom_id;

/* Sorts by id. Returns NULL, or the first entry whose id an earlier line has too. */
const carom_id *carom_ids_sort(carom_id *ids, uint64_t count);

/* The entry of an id in a sorted list, or NULL. */
const carom_id *carom_ids_find(const carom_id *ids, uint64_t count, int64_t id);

/* value[n] becomes what was at ids[n].place, for each n. Needs `count` elements of workspace. */
void carom_ids_apply(const carom_id *ids, uint64_t count, double *value, double *work);

#endif
