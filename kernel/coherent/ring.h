/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups as circular lists of their members, one node for each slot. In: nodes. Out: two rings joined, or one cut. */
#ifndef CAROM_COHERENT_RING_H
#define CAROM_COHERENT_RING_H

#include <stdint.h>

/* A slot's part in its group: all that an update needs, in half a cache line. */
typedef struct carom_group_node {
    uint32_t root;     /* the member that stands for the group */
    uint32_t next;     /* member after this one in the ring */
    uint32_t previous; /* member before it */
    uint32_t size;     /* at the root: members, >= 1 */
    uint32_t least;    /* at the root: the smallest body, which is the label of all */
    uint32_t body;     /* in this slot */
    uint32_t degree;   /* touching pairs of this slot */
    uint32_t split;    /* 1: its group was split into single bodies in this step; else 0 */
} carom_group_node;

/* Joins two rings behind a, or cuts the part from after a up to b out of their common ring: next and previous change
 * places. */
static inline void carom_ring_splice(carom_group_node *node, uint32_t a, uint32_t b) {
    const uint32_t after_a = node[a].next;
    const uint32_t after_b = node[b].next;
    node[a].next = after_b;
    node[after_b].previous = a;
    node[b].next = after_a;
    node[after_a].previous = b;
}

/* The smallest body of a ring. */
static inline uint32_t carom_ring_least(const carom_group_node *node, uint32_t from) {
    uint32_t least = node[from].body;
    for (uint32_t at = node[from].next; at != from; at = node[at].next) {
        least = node[at].body < least ? node[at].body : least;
    }
    return least;
}

#endif
