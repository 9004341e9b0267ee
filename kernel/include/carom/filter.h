/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs a detection looks at. A pair that does not pass does not exist for the call: it is in no count, no row,
 * no list, no group and no hash, at every stage from pairs on. A pair (i, k) passes if it passes every part:
 *
 *   category, mask   category_i & mask_k and category_k & mask_i both have a bit set
 *   group            not group_i == group_k != 0: bodies of one group never pair, those of group 0 are in none
 *   fixed            not both are fixed (static)
 *   exclusions       neither lists the other in its row
 *   accepts          the caller's function says so
 *
 * Every part may be left out. The first three are brought into the order of the sweep once a call, so that they are
 * tested on neighbouring memory; the last two look at the caller's data, and only for pairs that pass the others. */
#ifndef CAROM_FILTER_H
#define CAROM_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/export.h"

/* Shall the pair (i, k), i < k, exist? Called from several threads at once and in no particular order, so it must be
 * thread-safe and, during a call, a pure function of (i, k): it must not depend on what it was asked before. It may be
 * asked again about the same pair. It must not use the context of the call. */
typedef bool carom_pair_predicate(void *user, uint32_t i, uint32_t k);

/* Arrays of the caller's, only read, one entry a body; they need no alignment beyond their type's, and may alias. */
typedef struct carom_filter {
    size_t size;              /* sizeof(carom_filter), set by the default */
    const uint32_t *category; /* bits of what a body is; NULL: 1 for every body */
    const uint32_t *mask;     /* bits of the categories it meets; NULL: all bits for every body */
    const uint32_t *group;    /* NULL: 0, no group */
    const uint8_t *fixed;     /* 0: moves freely, else fixed; NULL: none is fixed */
    /* Compressed rows, as for bonded atoms: body b excludes excluded[exclusion_offset[b]] up to, but without,
     * excluded[exclusion_offset[b + 1]]. count + 1 offsets, none less than the one before; the first need not be 0. A
     * row may be in any order and name a body twice, or b itself. That one of the two names the other is enough. Rows
     * in ascending order are searched by halving if all are; else each look-up goes through the whole row. */
    const uint64_t *exclusion_offset; /* NULL: no exclusions */
    const uint32_t *excluded;         /* may be NULL if every row is empty */
    carom_pair_predicate *accepts;    /* NULL: accepts all */
    void *user;                       /* handed to it */
} carom_filter;

/* All pairs pass. */
CAROM_API carom_filter carom_filter_default(void);

#endif
