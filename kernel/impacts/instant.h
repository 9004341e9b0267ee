/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* An instant: one moment, in which a member changes again and again. Which pairs with it collide in that moment?
 * Nothing moves meanwhile, so the pairs that touch are listed once. */
#ifndef CAROM_IMPACTS_INSTANT_H
#define CAROM_IMPACTS_INSTANT_H

#include "kernel/impacts/cluster.h"

/* Lists the pairs with member n that touch now, of those of others that a kernel tests. Without memory own->failed. */
void carom_instant_begin(const carom_cluster *c, uint32_t n);

/* Another member has changed, which may own a pair in the list. */
void carom_instant_change(const carom_cluster *c, uint32_t n, uint32_t other);

/* A walk over the listed pairs that may collide, whose owners are loaded. Until it ends no member's piece may change:
 *
 *     carom_instant_walk walk = carom_instant_walk_begin(c, n);
 *     while (carom_instant_walk_next(c, n, &walk)) {
 *         ... walk.owner
 *     } */
typedef struct carom_instant_walk {
    uint32_t next;  /* place in the list */
    uint32_t owner; /* of the pair */
    bool sorted;    /* owners come in the order of their numbers, which is that of impacts in one moment */
    /* By how much the member's velocity has changed since the pairs were listed, in units of coarse paths; and at least
     * the length of that. */
    float turn[3];
    float speed;
    /* The member now, in the same units, and sums of the numbers that its place and its velocity then are made of. */
    double at[3];
    double radius;
    double size;
    double pace;
} carom_instant_walk;

carom_instant_walk carom_instant_walk_begin(const carom_cluster *c, uint32_t n);
bool carom_instant_walk_next(carom_cluster *c, uint32_t n, carom_instant_walk *walk);

#endif
