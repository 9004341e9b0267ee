/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Disjoint sets of few elements that one thread has for itself: a union-find without atomics, of which the roots are
 * the labels. In: pairs to be united. Out: the least element of each element's set, and how many groups there are.
 * kernel/groups/union_find.h has the sources. */
#ifndef CAROM_GROUPS_SETS_H
#define CAROM_GROUPS_SETS_H

#include <stdint.h>

/* Groups: sets of two elements or more. */
typedef struct carom_set_counts {
    uint32_t groups;
    uint32_t largest; /* elements in the largest group, or 0 */
} carom_set_counts;

/* Makes each of `count` elements a set of its own. */
void carom_sets_init(uint32_t *parent, uint32_t count);

/* Unites the sets of a[n] and b[n] for n in [0, count). Parents are never greater than their children. */
void carom_sets_unite(uint32_t *parent, uint32_t count, const uint32_t *a, const uint32_t *b);

/* Points each element of [begin, end) at the least of its set, and counts the groups. No set lies in this range in part.
 * size: workspace of as many elements. */
carom_set_counts carom_sets_label(uint32_t *parent, uint32_t begin, uint32_t end, uint32_t *size);

#endif
