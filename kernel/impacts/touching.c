/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: groups of what is due. Out: groups that have grown by those whom their bodies touch when the window begins.
 *
 * Bodies that overlap and approach collide at the moment when the window begins, and each of these impacts may let
 * others that overlap approach, which collide in the same moment. Verification would find them round by round, and each
 * round simulates the whole group again. To be in one group does no harm. */
#include "kernel/impacts/touching.h"

static bool touch(const carom_window *window, uint32_t slot, const carom_row_walk *row) {
    const carom_coarse_path *coarse = window->hulls->coarse;
    const carom_pair_image image = carom_impacts_image(window->bodies, row->image);
    return carom_hulls_may_touch(window->hulls, &coarse[slot], &coarse[row->other], &image, window->begin);
}

static bool is_active(const carom_window *window, uint32_t slot) {
    return window->active_of[slot] != CAROM_IMPACTS_NONE;
}

/* Those who join are listed. */
static void unite_around(carom_window *window, uint32_t slot) {
    carom_row_walk row = carom_row_begin(window->rows, slot);
    while (!window->failed && carom_row_next(window->rows, &row)) {
        if (carom_window_is_member(window, row.other) && touch(window, slot, &row)) {
            const bool joins = !is_active(window, row.other);
            carom_window_unite(window, slot, row.other);
            window->failed = window->failed || (joins && !carom_list_append(window->memory, &window->front, &row.other,
                                                                            sizeof row.other));
        }
    }
}

static carom_active *active_at(const carom_window *window, uint32_t slot) {
    return &carom_window_active(window)[window->active_of[slot]];
}

/* Counts up to two. */
static void count(const carom_window *window, uint32_t other) {
    if (carom_window_is_member(window, other) && active_at(window, other)->at_once < 2) {
        active_at(window, other)->at_once++;
    }
}

static bool has_several(const carom_window *window, uint32_t other) {
    return carom_window_is_member(window, other) && active_at(window, other)->at_once > 1;
}

/* Once for each body. */
static void join(carom_window *window, uint32_t other) {
    if (carom_window_is_member(window, other) && !active_at(window, other)->joined) {
        active_at(window, other)->joined = true;
        unite_around(window, other);
    }
}

/* If neither body has another impact at once they mostly stay alone. */
static void join_pair(carom_window *window, const carom_contact_pair *pair) {
    if (has_several(window, pair->a) || has_several(window, pair->other)) {
        join(window, pair->a);
        join(window, pair->other);
    }
}

/* One who has joined may touch others who are in groups. */
static void unite_across(carom_window *window, uint32_t slot) {
    carom_row_walk row = carom_row_begin(window->rows, slot);
    while (!window->failed && carom_row_next(window->rows, &row)) {
        if (carom_window_is_member(window, row.other) && is_active(window, row.other) && touch(window, slot, &row)) {
            carom_window_unite(window, slot, row.other);
        }
    }
}

static void count_all(const carom_window *window, const carom_impacts_worker *own) {
    const carom_pending *due = own->due.buffer.data;
    for (uint64_t n = 0; n < own->due.count; n++) {
        if (due[n].t <= window->begin) {
            count(window, due[n].pair.a);
            count(window, due[n].pair.other);
        }
    }
}

static void join_all(carom_window *window, const carom_impacts_worker *own) {
    const carom_pending *due = own->due.buffer.data;
    for (uint64_t n = 0; n < own->due.count && !window->failed; n++) {
        if (due[n].t <= window->begin) {
            join_pair(window, &due[n].pair);
        }
    }
}

/* All are counted before anybody joins: groups do not depend on the order of impacts, nor on workers. */
void carom_touching_unite(carom_window *window, uint32_t workers) {
    window->front.count = 0;
    for (uint32_t w = 0; w < workers; w++) {
        count_all(window, &window->worker[w]);
    }
    for (uint32_t w = 0; w < workers; w++) {
        join_all(window, &window->worker[w]);
    }
    for (uint64_t n = 0; n < window->front.count && !window->failed; n++) {
        unite_across(window, ((const uint32_t *)window->front.buffer.data)[n]);
    }
}
