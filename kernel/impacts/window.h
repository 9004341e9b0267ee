/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A window of time within a step, and the bodies that have impacts in it.
 *
 * Bodies whose impacts may depend on one another are in one group, and each group is simulated alone from the window's
 * beginning. Then each new piece of a path is held against those of all neighbours. Where it meets one of another group
 * before the window ends the two groups become one, which is simulated again. When none does, no impact between groups
 * exists, so each group has had the very impacts of one queue for all.
 *
 * Groups are simulated, and held against others, by all workers at once. Each worker writes what it finds into lists of
 * its own. Between these stages one thread makes and joins groups. */
#ifndef CAROM_IMPACTS_WINDOW_H
#define CAROM_IMPACTS_WINDOW_H

#include "kernel/impacts/bodies.h"
#include "kernel/impacts/hulls.h"
#include "kernel/impacts/list.h"
#include "kernel/impacts/rows.h"
#include "simd/dispatch.h"

/* A piece of a path, and where the next one is. */
typedef struct carom_path_piece {
    carom_piece piece;
    carom_coarse_path coarse;
    uint32_t next;
} carom_path_piece;

/* A body that has impacts in this window. Groups are sets of these entries. */
typedef struct carom_active {
    uint32_t slot;
    uint32_t parent; /* at most the entry; the root itself: the group's entry. After carom_window_flatten the root */
    uint32_t next;   /* the group's members in a ring */
    uint32_t worker; /* who simulated the group last: in whose lists its paths and impacts are */
    uint32_t first;  /* of the path since the window began */
    uint32_t last;
    uint32_t local;  /* index in the group while that is simulated */
    uint32_t escape; /* in the worker's list, or CAROM_IMPACTS_NONE: the body left its hull in this round */
    uint64_t events; /* of a root: impacts of the group, from `event` on */
    uint64_t event;
    bool dirty; /* of a root: it is to be simulated */
    bool again; /* of a root: a path of a member was held against others and then dropped, so whole paths are held */
} carom_active;

/* An impact that may happen: what a body in a slot may hit, and when. */
typedef struct carom_pending {
    carom_contact_pair pair;
    double t;
} carom_pending;

/* An impact that happened. */
typedef struct carom_impacts_event {
    double t;         /* in steps */
    uint32_t i;       /* number of the lower body */
    uint32_t k;       /* number of the other body or surface */
    int32_t shift[3]; /* of k's image, in edges of the periodic box */
    uint32_t group;   /* impacts of a group have one number and follow one another; 0: not given yet */
    carom_impact impact;
} carom_impacts_event;

/* A body that left its hull, and the hull it had. */
typedef struct carom_escape {
    uint32_t slot;
    carom_box before;
} carom_escape;

/* What a member of a group may hit: another member, or CAROM_IMPACTS_SURFACE plus a surface. */
typedef struct carom_adjacent {
    uint32_t other;
    uint32_t image;
} carom_adjacent;

/* What one worker finds. */
typedef struct carom_impacts_worker {
    carom_list path;      /* of carom_path_piece */
    carom_list event;     /* of carom_impacts_event */
    carom_list pending;   /* of carom_pending: first impacts */
    carom_list meeting;   /* of carom_contact_pair: bodies of different groups that collide */
    carom_list escape;    /* of carom_escape */
    carom_list found;     /* of carom_contact_pair: new neighbours of bodies that left their hulls */
    carom_list adjacent;  /* of carom_adjacent: what members of the group that is simulated may hit */
    carom_buffer cluster; /* the group that is simulated */
    carom_buffer near;    /* slots: neighbours that may be met */
    uint32_t beyond;      /* lowest number of a body that is beyond floats, or CAROM_IMPACTS_NONE */
    uint32_t largest;     /* members of the largest group */
    bool failed;          /* no memory */
} carom_impacts_worker;

typedef struct carom_window {
    carom_impacts_bodies *bodies;
    const carom_hulls *hulls;
    const carom_impacts_rows *rows;
    carom_memory *memory;
    const carom_simd *simd;
    uint32_t *active_of;          /* for each slot its entry in `active`, or CAROM_IMPACTS_NONE */
    double begin;                 /* in steps */
    double end;                   /* impacts at this time belong to the next window */
    carom_list active;            /* of carom_active */
    carom_list dirty;             /* roots that were made dirty, of uint32_t */
    carom_impacts_worker *worker; /* for each worker of the team */
    bool failed;                  /* no memory */
} carom_window;

static inline carom_active *carom_window_active(const carom_window *window) {
    return window->active.buffer.data;
}

/* The paths that a worker has made. */
static inline carom_path_piece *carom_window_path(const carom_window *window, uint32_t worker) {
    return window->worker[worker].path.buffer.data;
}

/* The root of an entry's group. Between stages only. */
uint32_t carom_window_root(const carom_window *window, uint32_t entry);

/* Makes the groups of two bodies one, and dirty. */
void carom_window_unite(carom_window *window, uint32_t slot_a, uint32_t slot_b);

/* Makes a body's group dirty. */
void carom_window_touch(carom_window *window, uint32_t slot);

/* Makes the root the parent of all members of dirty groups, drops from `dirty` what is no root any more, and marks what
 * is left as clean. */
void carom_window_flatten(carom_window *window);

/* Simulates the group of a root until the window ends. A team's worker may do so while others simulate other groups. */
void carom_window_simulate(carom_window *window, uint32_t root, uint32_t worker);

/* Holds the paths of a group against those of all neighbours: notes who meets members of other groups in this window.
 * A team's worker may do so while others do the same. */
void carom_window_verify(carom_window *window, uint32_t root, uint32_t worker);

#endif
