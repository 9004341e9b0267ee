/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Union-find shared by all threads without locks: a parent array in which every root points to itself, every
 * link goes to a smaller element, and a root is linked only by compare-and-swap. Any number of threads may unite
 * at once; the partition that results does not depend on their timing. Paths are halved on the way.
 * After Anderson and Woll, Wait-free parallel algorithms for the union-find problem (1991); linking by index as in
 * Jayanti and Tarjan (2016); both paths climbed together as in Rem's algorithm (Dijkstra 1976), found fastest by
 * Patwary, Blair and Manne (2010) and, with compare-and-swap, by Dhulipala, Hong and Shun (2020). */
#ifndef CAROM_GROUPS_UNION_FIND_H
#define CAROM_GROUPS_UNION_FIND_H

#include <stdatomic.h>
#include <stdint.h>

typedef _Atomic uint32_t carom_union_find_parent;
_Static_assert(sizeof(carom_union_find_parent) == sizeof(uint32_t), "read and written plainly where nobody else does");

/* Makes [begin, end) singletons. Not to be run while others unite these elements. */
void carom_union_find_init(carom_union_find_parent *parent, uint64_t begin, uint64_t end);

/* The root of x's set: its smallest element once all unions are done, some element of the set while others unite. */
uint32_t carom_union_find_root(carom_union_find_parent *parent, uint32_t x);

/* Joins the sets of a and b. Returns 1 if they were different sets and this call joined them, else 0: the ones returned
 * to all threads add up to the elements less the sets that are left. */
uint32_t carom_union_find_unite(carom_union_find_parent *parent, uint32_t a, uint32_t b);

/* Joins a[n] and b[n] for n in [0, count). */
void carom_union_find_unite_pairs(carom_union_find_parent *parent, uint64_t count, const uint32_t *a,
                                  const uint32_t *b);

/* Points every element of [begin, end) at its root. Safe from several threads on disjoint ranges once all
 * unions are done. */
void carom_union_find_flatten(carom_union_find_parent *parent, uint64_t begin, uint64_t end);

/* What is wrong with `count` elements while nobody unites any; NULL if nothing is. */
const char *carom_union_find_validate(const carom_union_find_parent *parent, uint64_t count);

#endif
