/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Union-find: disjoint sets of the numbers 0 to count - 1, shared by all threads without locks.
 *
 * It is one array: the parent of each element. A root, which stands for its set, is its own parent. Every link goes to
 * a smaller element, so a root is the smallest element of its set. A root is linked only by compare-and-swap. Any
 * number of threads may unite at once, and the sets that result do not depend on their timing. Paths are halved on the
 * way.
 *
 * After Anderson and Woll, Wait-free parallel algorithms for the union-find problem (1991); linking by index as in
 * Jayanti and Tarjan (2016); both paths climbed together as in Rem's algorithm (Dijkstra 1976), found fastest by
 * Patwary, Blair and Manne (2010) and, with compare-and-swap, by Dhulipala, Hong and Shun (2020). */
#ifndef CAROM_GROUPS_UNION_FIND_H
#define CAROM_GROUPS_UNION_FIND_H

#include <stdatomic.h>
#include <stdint.h>

/* The entry of one element: its parent, at most the element itself. */
typedef _Atomic uint32_t carom_union_find_parent;
_Static_assert(sizeof(carom_union_find_parent) == sizeof(uint32_t), "read and written plainly where nobody else does");

/* Makes each element of [begin, end) a set of its own. No other thread may use these elements meanwhile. */
void carom_union_find_init(carom_union_find_parent *parent, uint64_t begin, uint64_t end);

/* The root of x's set once all unions are done; while others unite, some element of the set. */
uint32_t carom_union_find_root(carom_union_find_parent *parent, uint32_t x);

/* Joins the sets of a and b. Returns 1 if this call joined two different sets, else 0. So the sum of what all calls
 * have returned is the number of elements less the number of sets. */
uint32_t carom_union_find_unite(carom_union_find_parent *parent, uint32_t a, uint32_t b);

/* Joins the sets of a and b while no other thread unites any. */
void carom_union_find_unite_alone(carom_union_find_parent *parent, uint32_t a, uint32_t b);

/* Joins a[n] and b[n] for n in [0, count). */
void carom_union_find_unite_pairs(carom_union_find_parent *parent, uint64_t count, const uint32_t *a,
                                  const uint32_t *b);

/* The same while no other thread unites any: faster, as it needs no compare-and-swap. */
void carom_union_find_unite_pairs_alone(carom_union_find_parent *parent, uint64_t count, const uint32_t *a,
                                        const uint32_t *b);

/* Points every element of [begin, end) at its root. Safe from several threads on disjoint ranges once all
 * unions are done. */
void carom_union_find_flatten(carom_union_find_parent *parent, uint64_t begin, uint64_t end);

/* What is wrong with `count` elements while nobody unites any; NULL if nothing is. */
const char *carom_union_find_validate(const carom_union_find_parent *parent, uint64_t count);

#endif
