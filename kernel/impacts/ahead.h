/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Fetches into the cache what groups further on in a list need: they lie in memory where bodies lie in space, and a
 * worker that waits for each would wait most of the time. Functions here are inlined by force, for gcc drops a call to
 * one that does nothing but fetch. */
#ifndef CAROM_IMPACTS_AHEAD_H
#define CAROM_IMPACTS_AHEAD_H

#include "kernel/impacts/window.h"

#define CAROM_AHEAD static inline __attribute__((always_inline)) void

/* What so many groups need is asked for together: a line of a page whose address is not known holds up all that
 * follows, but for other such lines. */
enum { CAROM_AHEAD_TOGETHER = 8 };

/* How many groups ahead, and up to CAROM_AHEAD_TOGETHER - 1 more: of entries, of their members, of where the members'
 * rows are, of the members' bodies and rows, of what rows name, and of the entries of that. Each reads what the one
 * before it has asked for, so it comes in a later call. */
enum {
    CAROM_AHEAD_ENTRY = 6 * CAROM_AHEAD_TOGETHER,
    CAROM_AHEAD_MEMBER = 5 * CAROM_AHEAD_TOGETHER,
    CAROM_AHEAD_START = 4 * CAROM_AHEAD_TOGETHER,
    CAROM_AHEAD_BODY = 3 * CAROM_AHEAD_TOGETHER,
    CAROM_AHEAD_ROW = 2 * CAROM_AHEAD_TOGETHER,
    CAROM_AHEAD_ENTRIES = CAROM_AHEAD_TOGETHER
};

/* Members of a group, and neighbours of a member, that are looked at. */
enum { CAROM_AHEAD_MEMBERS = 3, CAROM_AHEAD_NEIGHBOURS = 16 };

typedef struct carom_ahead {
    const carom_window *window;
    const carom_active *active;
    const uint32_t *root; /* of `count` groups */
    uint64_t count;
} carom_ahead;

/* Where the row of a body is. */
CAROM_AHEAD carom_ahead_start(const carom_window *window, uint32_t slot) {
    __builtin_prefetch(&window->rows->head[slot]);
}

/* What simulation reads of a body and writes. */
CAROM_AHEAD carom_ahead_body(const carom_window *window, uint32_t slot) {
    carom_impacts_fetch(window->bodies, slot);
    __builtin_prefetch(&window->hulls->coarse[slot], 1);
    carom_ahead_start(window, slot);
    __builtin_prefetch(&window->hulls->box[slot]);
}

CAROM_AHEAD carom_ahead_row(const carom_window *window, uint32_t slot) {
    __builtin_prefetch(&window->rows->other[window->rows->head[slot].start]);
}

/* The beginnings of a row and of its neighbours' paths. */
CAROM_AHEAD carom_ahead_neighbours(const carom_window *window, uint32_t slot) {
    const uint64_t end = carom_row_end(window->rows, slot);
    uint64_t at = window->rows->head[slot].start;
    for (int n = 0; n < CAROM_AHEAD_NEIGHBOURS && at < end; n++, at++) {
        const uint32_t other = window->rows->other[at];
        if (!carom_impacts_is_surface(other)) {
            __builtin_prefetch(&window->hulls->coarse[other]);
        }
    }
}

/* Which entries the beginning of a row's neighbours have. */
CAROM_AHEAD carom_ahead_entries_of(const carom_window *window, uint32_t slot) {
    const uint64_t end = carom_row_end(window->rows, slot);
    uint64_t at = window->rows->head[slot].start;
    for (int n = 0; n < CAROM_AHEAD_NEIGHBOURS && at < end; n++, at++) {
        const uint32_t other = window->rows->other[at];
        __builtin_prefetch(&window->active_of[carom_impacts_is_surface(other) ? slot : other]);
    }
}

typedef enum carom_ahead_what {
    CAROM_AHEAD_STARTS,
    CAROM_AHEAD_BODIES,
    CAROM_AHEAD_ROWS,
    CAROM_AHEAD_MEMBERSHIP,
    CAROM_AHEAD_PATHS
} carom_ahead_what;

/* The beginning of a member's new path. */
CAROM_AHEAD carom_ahead_path(const carom_window *window, const carom_active *active) {
    if (active->first != CAROM_IMPACTS_NONE) {
        const carom_path_piece *path = &carom_window_path(window, active->worker)[active->first];
        __builtin_prefetch(&path->piece);
        __builtin_prefetch(&path->coarse);
    }
}

CAROM_AHEAD carom_ahead_member(const carom_window *window, const carom_active *active, carom_ahead_what what) {
    const uint32_t slot = active->slot;
    if (what == CAROM_AHEAD_STARTS) {
        carom_ahead_start(window, slot);
    } else if (what == CAROM_AHEAD_BODIES) {
        carom_ahead_body(window, slot);
    } else if (what == CAROM_AHEAD_ROWS) {
        carom_ahead_row(window, slot);
    } else if (what == CAROM_AHEAD_MEMBERSHIP) {
        carom_ahead_entries_of(window, slot);
    } else {
        carom_ahead_path(window, active);
        carom_ahead_neighbours(window, slot);
    }
}

CAROM_AHEAD carom_ahead_members(const carom_ahead *a, uint64_t n, carom_ahead_what what) {
    if (n < a->count) {
        uint32_t entry = a->root[n];
        for (int m = 0; m < CAROM_AHEAD_MEMBERS; m++) {
            carom_ahead_member(a->window, &a->active[entry], what);
            entry = carom_active_next(&a->active[entry]);
            if (entry == a->root[n]) {
                break;
            }
        }
    }
}

/* Rows of groups that are no lone pairs, which need them, or what these name. */
CAROM_AHEAD carom_ahead_group_rows(const carom_ahead *a, uint64_t n, carom_ahead_what what) {
    if (n < a->count && (a->window->bodies->surfaces > 0 ||
                         carom_active_next(&a->active[carom_active_next(&a->active[a->root[n]])]) != a->root[n])) {
        carom_ahead_members(a, n, what);
    }
}

CAROM_AHEAD carom_ahead_entries(const carom_ahead *a, uint64_t n) {
    if (n + CAROM_AHEAD_ENTRY < a->count) {
        __builtin_prefetch(&a->active[a->root[n + CAROM_AHEAD_ENTRY]]);
        __builtin_prefetch(&a->active[carom_active_next(&a->active[a->root[n + CAROM_AHEAD_MEMBER]])]);
    }
}

CAROM_AHEAD carom_ahead_simulate_one(const carom_ahead *a, uint64_t n) {
    carom_ahead_entries(a, n);
    carom_ahead_members(a, n + CAROM_AHEAD_BODY, CAROM_AHEAD_BODIES);
    carom_ahead_group_rows(a, n + CAROM_AHEAD_ROW, CAROM_AHEAD_ROWS);
    carom_ahead_group_rows(a, n + CAROM_AHEAD_ENTRIES, CAROM_AHEAD_MEMBERSHIP);
}

CAROM_AHEAD carom_ahead_verify_one(const carom_ahead *a, uint64_t n) {
    carom_ahead_entries(a, n);
    carom_ahead_members(a, n + CAROM_AHEAD_START, CAROM_AHEAD_STARTS);
    carom_ahead_members(a, n + CAROM_AHEAD_BODY, CAROM_AHEAD_ROWS);
    carom_ahead_members(a, n + CAROM_AHEAD_ENTRIES, CAROM_AHEAD_PATHS);
}

/* A worker that goes through groups [begin, end) asks before group n for what groups from n until this one need. */
static inline uint64_t carom_ahead_until(uint64_t n, uint64_t begin, uint64_t end) {
    const uint64_t until = (n - begin) % CAROM_AHEAD_TOGETHER == 0 ? n + CAROM_AHEAD_TOGETHER : n;
    return until < end ? until : end;
}

/* Before group n of [begin, end) is simulated. */
CAROM_AHEAD carom_ahead_simulate(const carom_ahead *a, uint64_t n, uint64_t begin, uint64_t end) {
    for (uint64_t m = n; m < carom_ahead_until(n, begin, end); m++) {
        carom_ahead_simulate_one(a, m);
    }
}

/* Before group n of [begin, end) is verified. */
CAROM_AHEAD carom_ahead_verify(const carom_ahead *a, uint64_t n, uint64_t begin, uint64_t end) {
    for (uint64_t m = n; m < carom_ahead_until(n, begin, end); m++) {
        carom_ahead_verify_one(a, m);
    }
}

#endif
