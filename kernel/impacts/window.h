/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A window of time within a step, and the bodies that have impacts in it.
 *
 * Bodies whose impacts may depend on one another are in one group, and each group is simulated alone from the window's
 * beginning. Then each new piece of a path is held against all others. Where it meets one of another group before the
 * window ends the two groups become one, which is simulated again. When none does, no impact between groups exists, so
 * each group has had the very impacts of one queue for all. Later impacts are noted for the windows in which they
 * are. */
#ifndef CAROM_IMPACTS_WINDOW_H
#define CAROM_IMPACTS_WINDOW_H

#include "kernel/impacts/bodies.h"
#include "kernel/impacts/list.h"
#include "kernel/impacts/rows.h"

enum { CAROM_WINDOWS_MAX = 64 };

/* An impact that may happen: body a in a slot with body b in another, or with surface b - CAROM_IMPACTS_SURFACE. */
typedef struct carom_pending {
    uint32_t a;
    uint32_t b;
} carom_pending;

/* A piece of a path, and where the next one is. */
typedef struct carom_path_piece {
    carom_piece piece;
    uint32_t next;
} carom_path_piece;

/* A body that has impacts in this window. Groups are sets of these entries. */
typedef struct carom_active {
    uint32_t slot;
    uint32_t parent; /* at most the entry; the root itself: the group's entry */
    uint32_t next;   /* the group's members in a ring */
    uint32_t first;  /* of the path since the window began */
    uint32_t last;
    uint32_t local;  /* index in the group that is simulated */
    uint64_t events; /* of a root: impacts of the group, from `event` on */
    uint64_t event;
    bool dirty; /* of a root: it is to be simulated */
    bool again; /* of a root: a path of a member was held against others and then dropped, so whole paths are held */
} carom_active;

/* An impact that happened. */
typedef struct carom_impacts_event {
    double t;   /* in steps */
    uint32_t i; /* number of the lower body */
    uint32_t k; /* number of the other body or surface */
    carom_impact impact;
} carom_impacts_event;

typedef struct carom_window {
    carom_impacts_bodies *bodies;
    const carom_hulls *hulls;
    const carom_impacts_rows *rows;
    carom_memory *memory;
    uint32_t *active_of; /* for each slot its entry in `active`, or CAROM_IMPACTS_NONE */
    double begin;        /* in steps */
    double end;          /* impacts at this time belong to the next window */
    uint32_t windows;    /* of the step, a power of two */
    carom_list active;   /* of carom_active */
    carom_list path;     /* of carom_path_piece */
    carom_list event;    /* of carom_impacts_event */
    carom_list dirty;    /* roots that were made dirty, of uint32_t */
    carom_list meeting;  /* bodies of different groups that collide, of carom_pending */
    carom_list escaped;  /* slots of bodies that left their hulls, of uint32_t */
    carom_list cluster;  /* of the group that is simulated */
    carom_list pending[CAROM_WINDOWS_MAX];
    bool failed; /* no memory */
} carom_window;

static inline carom_active *carom_window_active(const carom_window *window) {
    return window->active.buffer.data;
}

static inline carom_path_piece *carom_window_path(const carom_window *window) {
    return window->path.buffer.data;
}

/* The root of an entry's group. */
uint32_t carom_window_root(const carom_window *window, uint32_t entry);

/* The entry of a body, which gets a group of its own if it has none. CAROM_IMPACTS_NONE if there is no memory. */
uint32_t carom_window_activate(carom_window *window, uint32_t slot);

/* Makes the groups of two bodies one, and dirty. */
void carom_window_unite(carom_window *window, uint32_t slot_a, uint32_t slot_b);

/* Makes a body's group dirty. */
void carom_window_touch(carom_window *window, uint32_t slot);

/* Notes that a and b may collide at time t, in steps, after this window, and before the end of the step. */
void carom_window_note(carom_window *window, uint32_t a, uint32_t b, double t);

/* Appends a piece to the path of an entry. */
void carom_window_append(carom_window *window, uint32_t entry, const carom_piece *piece);

/* Makes the path of an entry what it was when the window began: one piece. */
void carom_window_restart(carom_window *window, uint32_t entry);

/* Simulates the group of a root until the window ends. */
void carom_window_simulate(carom_window *window, uint32_t root);

/* Holds the paths of a group against those of all neighbours: notes who meets members of other groups in this window.
 */
void carom_window_verify(carom_window *window, uint32_t root);

#endif
