/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The members of a group while it is simulated, and what each may hit. */
#ifndef CAROM_IMPACTS_CLUSTER_H
#define CAROM_IMPACTS_CLUSTER_H

#include "kernel/impacts/window.h"

/* A member whose change in this moment is deferred (kernel/impacts/firsts.c). */
typedef struct carom_deferral {
    uint32_t next;  /* such member, or CAROM_IMPACTS_NONE */
    uint32_t first; /* owner of the first pair with it that collides now, or CAROM_IMPACTS_NONE */
    uint32_t list;  /* its list of pairs (kernel/impacts/instant.c), or CAROM_IMPACTS_NONE: it never had one */
    bool waits;     /* it is so */
} carom_deferral;

/* A pair belongs to the member that may hit fewer others, so that a giant among dust has none: what changes a giant
 * changes no more than the pairs of those near it. Each member knows the first impact of its own pairs. */
typedef struct carom_member {
    carom_piece piece; /* where it is now */
    double t;          /* of its first impact; no later, if the partner has changed since */
    uint32_t i;        /* number of the lower body */
    uint32_t k;        /* number of the higher body or surface */
    uint32_t image;    /* of the higher body */
    uint32_t partner;  /* index of the other member; CAROM_IMPACTS_NONE: a surface, or nothing */
    uint32_t count;    /* impacts that the partner had had when t was predicted */
    uint32_t entry;    /* of a member of the group: among the window's entries; of a bystander that has joined: in
                          own->path.joined; else CAROM_IMPACTS_NONE */
    uint32_t slot;
    uint32_t number;
    uint64_t begin;  /* of what it may hit, in c->other and c->image */
    uint64_t others; /* where its own pairs end, and those of others begin */
    uint64_t rest;   /* of these the kernel tests what comes before: images that are not moved, if the member is the
                        giant or has many */
    uint64_t end;
    carom_deferral deferral;
} carom_member;

/* A member's entry in the heap: what its first impact is in the order by. */
typedef struct carom_heap_entry {
    double t;
    uint32_t i;
    uint32_t k;
    uint32_t member;
} carom_heap_entry;

/* Bodies in no group that the giant may hit (kernel/impacts/bystanders.h). Their indices follow those of all members.
 */
typedef struct carom_bystanders {
    uint32_t count;
    uint32_t *slot;
    uint64_t list;   /* in c->other: what each may hit until it joins, the giant */
    uint64_t joined; /* where those that have joined begin in own->path.joined */
    bool missed;     /* one has joined that others than the giant may meet: the group is to be simulated anew */
} carom_bystanders;

typedef struct carom_cluster {
    carom_window *window;
    carom_impacts_worker *own; /* the worker's lists */
    uint32_t worker;
    uint32_t root;
    uint32_t count; /* members of the group, which come first */
    uint32_t all;   /* with fixed bodies */
    uint32_t giant; /* the member with the longest row, if that is long and all bodies move; or CAROM_IMPACTS_NONE */
    carom_bystanders bystanders;
    uint32_t heaped;   /* members in the heap */
    uint32_t deferred; /* member whose change is deferred, the first of a chain; or CAROM_IMPACTS_NONE */
    double now;        /* of the last impact */
    bool filtered;     /* the kernel tests some members' pairs */
    carom_member *m;
    carom_coarse_path *coarse; /* of members, where the kernel tests; group is 0 */
    const uint32_t *other;     /* another member, or CAROM_IMPACTS_SURFACE plus a surface */
    const uint32_t *image;     /* of a member */
    carom_heap_entry *heap;    /* members; the first impact first */
    uint32_t *place; /* where in the heap each member is; CAROM_IMPACTS_NONE: a bystander that was not loaded */
} carom_cluster;

/* Makes the members out of the group of cluster->root, with paths as they were when the window began. False, and
 * own->failed, if there is no memory. */
bool carom_cluster_gather(carom_cluster *cluster);

/* Looks at the host's flag from time to time, which a counter says: a group may be as large as the world. What the
 * group has is not used once the call is to stop. */
bool carom_cluster_stopped(const carom_cluster *cluster, uint64_t count);

/* Lists what each member may hit: surfaces, fixed bodies, which become members, and members of the group. Sets
 * own->failed if there is no memory. Ends early if the call is to stop. */
void carom_cluster_find_adjacent(carom_cluster *cluster);

#endif
