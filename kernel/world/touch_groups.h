/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Groups of bodies that touch, directly or through others. Bodies that touch nothing are in none, and cost nothing but
 * a bit.
 *
 * In a periodic box a body may touch an image of another. Each body then has an offset in edges from the first of its
 * group: together with their offsets the members lie where they touch. A group that reaches around the box has several
 * sets of offsets; the earliest touches decide. */
#ifndef CAROM_WORLD_TOUCH_GROUPS_H
#define CAROM_WORLD_TOUCH_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/impacts/events.h"
#include "kernel/sys/control.h"
#include "kernel/sys/memory.h"

/* Bodies that touch others are members, which are numbered as their bodies are ordered. Zero-initialise before the
 * first use. */
typedef struct carom_touch_groups {
    uint32_t count;      /* members */
    carom_buffer touch;  /* a bit for each body: it is a member */
    carom_buffer before; /* of uint32_t, for each word of bits: members of the words before it */
    carom_buffer body;   /* of uint32_t, for each member */
    carom_buffer link;   /* for each member: see touch_groups.c */
} carom_touch_groups;

/* A member's place in its group. */
typedef struct carom_touch_place {
    uint32_t root;     /* the group's first member */
    int64_t offset[3]; /* from it, in edges of the box */
} carom_touch_place;

/* Makes the groups of `bodies` bodies whose numbers are those of events, in the order of these. A host that cancels
 * ends it early: then groups are incomplete. False if there is no memory. */
bool carom_touch_groups_make(carom_touch_groups *groups, carom_memory *memory, carom_control *control, uint32_t bodies,
                             const carom_list *events);

/* Where a member is. Shortens the way to the root. */
carom_touch_place carom_touch_groups_place(const carom_touch_groups *groups, uint32_t member);

/* The body of each member, in ascending order. */
static inline const uint32_t *carom_touch_groups_bodies(const carom_touch_groups *groups) {
    return groups->body.data;
}

void carom_touch_groups_release(carom_touch_groups *groups, carom_memory *memory);

#endif
