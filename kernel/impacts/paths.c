/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: new pieces. Out: paths, and bodies that left their hulls. */
#include "kernel/impacts/paths.h"

#include <stddef.h>

void carom_paths_begin(const carom_window *window, carom_active *active, uint32_t worker) {
    if (active->first != CAROM_IMPACTS_NONE && active->worker == worker) {
        /* The pieces that a round before gave the body are free for others. */
        carom_window_path(window, worker)[active->last].next = window->worker[worker].path.free;
        window->worker[worker].path.free = active->first;
    }
    active->worker = worker;
    active->escape = CAROM_IMPACTS_NONE;
    active->seen = false;
    active->first = active->last = CAROM_IMPACTS_NONE;
}

/* A piece of a body that left its hull may still lie in it until the window ends. */
static void note_piece(const carom_window *window, const carom_active *active, const carom_piece *piece) {
    carom_escape *escape = (carom_escape *)window->worker[active->worker].escape.buffer.data + active->escape;
    escape->now = escape->now || !carom_hulls_hold_in(window->hulls, window->bodies, active->slot, piece,
                                                      &escape->before, window->end);
}

/* What the hull was before is noted once in a simulation. */
void carom_paths_escape(const carom_window *window, carom_active *active, const carom_piece *piece) {
    carom_impacts_worker *own = &window->worker[active->worker];
    if (active->escape == CAROM_IMPACTS_NONE) {
        const carom_escape escape = {active->slot, false, 0, carom_box_of(&window->hulls->box[active->slot])};
        if (!carom_list_append(window->memory, &own->escape, &escape, sizeof escape)) {
            own->failed = true;
            return;
        }
        active->escape = (uint32_t)own->escape.count - 1;
    }
    if (!carom_hulls_widen(window->hulls, window->bodies, active->slot, piece)) {
        carom_beyond_note(&own->beyond.floats, window->bodies->number[active->slot]);
        return;
    }
    note_piece(window, active, piece);
}

/* Where the next piece goes; CAROM_IMPACTS_NONE if there is no memory. */
static uint32_t take_place(const carom_window *window, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    const uint32_t at = own->path.free;
    if (at != CAROM_IMPACTS_NONE) {
        own->path.free = carom_window_path(window, worker)[at].next;
        return at;
    }
    if (own->path.piece.count >= CAROM_IMPACTS_NONE ||
        !carom_list_reserve(window->memory, &own->path.piece, 1, sizeof(carom_path_piece))) {
        own->failed = true;
        return CAROM_IMPACTS_NONE;
    }
    return (uint32_t)own->path.piece.count++;
}

/* Those that begin at one time follow one another. */
static void note_moment(carom_active *active, carom_path_piece *path, uint32_t at, double start) {
    if (active->last == CAROM_IMPACTS_NONE || path[active->last].piece.start != start) {
        active->moment = at;
    }
    path[at].moment = at;
    path[active->moment].moment = at;
}

carom_path_piece *carom_paths_add(const carom_window *window, carom_active *active, double start) {
    const uint32_t at = take_place(window, active->worker);
    if (at == CAROM_IMPACTS_NONE) {
        return NULL;
    }
    carom_path_piece *path = carom_window_path(window, active->worker);
    path[at].next = CAROM_IMPACTS_NONE;
    note_moment(active, path, at, start);
    if (active->last == CAROM_IMPACTS_NONE) {
        active->first = at;
    } else {
        path[active->last].next = at;
    }
    active->last = at;
    return &path[at];
}

bool carom_paths_put(const carom_window *window, carom_active *active, const carom_piece *piece) {
    carom_path_piece *path = carom_paths_add(window, active, piece->start);
    if (path == NULL) {
        return false;
    }
    path->piece = *piece;
    path->coarse = carom_hulls_coarse(window->hulls, window->bodies, active->slot, piece);
    return true;
}

void carom_paths_check(const carom_window *window, carom_active *active, const carom_piece *piece) {
    if (!carom_hulls_hold(window->hulls, window->bodies, active->slot, piece)) {
        carom_paths_escape(window, active, piece);
    } else if (active->escape != CAROM_IMPACTS_NONE) {
        note_piece(window, active, piece);
    }
}

void carom_paths_append(const carom_window *window, carom_active *active, const carom_piece *piece) {
    if (carom_paths_put(window, active, piece)) {
        carom_paths_check(window, active, piece);
    }
}
