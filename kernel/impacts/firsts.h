/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The first impact of each member of a group while it is simulated, and of all. */
#ifndef CAROM_IMPACTS_FIRSTS_H
#define CAROM_IMPACTS_FIRSTS_H

#include "kernel/impacts/cluster.h"

/* Finds the first impact of each member, and makes the heap. */
void carom_firsts_begin(carom_cluster *c);

/* When the next impact is, if it is not stale: that of member c->heap[0].member. */
double carom_firsts_next(carom_cluster *c);

/* Whether the partner has changed since the member's first impact was predicted, which is then too early. */
bool carom_firsts_is_stale(const carom_cluster *c, uint32_t n);

/* Finds a member's first impact anew. */
void carom_firsts_find(const carom_cluster *c, uint32_t n);

/* Member n is on another piece: finds its first impact, and those of all whom that changes. */
void carom_firsts_change(carom_cluster *c, uint32_t n);

#endif
