/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A piece of a member's path, held against the paths of bodies in other groups. */
#ifndef CAROM_IMPACTS_HELD_H
#define CAROM_IMPACTS_HELD_H

#include "kernel/impacts/window.h"

/* A piece that lasts until a time, or for all that is known as long as the hulls. */
typedef struct carom_lasting {
    carom_piece *piece;
    const carom_coarse_path *coarse;
    double end; /* in this window */
    bool last;
    bool is_new; /* not the one with which the window begins */
} carom_lasting;

/* A member, and a piece of its path. */
typedef struct carom_held {
    const carom_window *window;
    carom_impacts_worker *own;
    const carom_active *member;
    uint64_t number; /* of the member's verification */
    carom_lasting piece;
} carom_held;

/* Pieces of another body that last at some moment when one piece does: more are no usual motion. */
enum { CAROM_HELD_PIECES_MOST = 64 };

/* The body's entry, or NULL. */
static inline const carom_active *carom_held_active(const carom_window *window, uint32_t slot) {
    const uint32_t entry = window->active_of[slot];
    return entry == CAROM_IMPACTS_NONE ? NULL : &carom_window_active(window)[entry];
}

/* Piece n of a path: a new piece ends at the next one, or with the window. */
static inline carom_lasting carom_held_piece(const carom_window *window, carom_path_piece *path, uint32_t n) {
    const uint32_t next = path[n].next;
    const bool last = next == CAROM_IMPACTS_NONE;
    return (carom_lasting){&path[n].piece, &path[n].coarse, last ? window->end : path[next].piece.start, last, true};
}

/* The piece with which the window begins. `active` NULL: the body has none other. */
static inline carom_lasting carom_held_first(const carom_window *window, uint32_t slot, const carom_active *active) {
    const bool changed = active != NULL && active->first != CAROM_IMPACTS_NONE;
    return (carom_lasting){&window->bodies->piece[slot], &window->hulls->coarse[slot],
                           changed ? carom_window_path(window, active->worker)[active->first].piece.start : window->end,
                           !changed, false};
}

/* How long the kernel is to test the piece. */
static inline double carom_held_until(const carom_window *window, const carom_lasting *p) {
    return p->last ? window->hulls->frame.end : p->end;
}

/* The two meet: notes it. */
void carom_held_note(const carom_held *held, uint32_t slot, uint32_t image);

/* Holds a new piece against that with which the window begins for a body in no group or another one, at no image but
 * itself: soon, when the body has been fetched. carom_held_finish holds those that wait. */
void carom_held_near(const carom_held *held, uint32_t slot);
void carom_held_finish(carom_impacts_worker *own);

/* Holds the piece against the new pieces of a body in another group, at no image but itself: soon, likewise. */
void carom_held_grouped(const carom_held *held, uint32_t slot);

/* Holds the piece against all pieces of a body that may be in the same group. */
void carom_held_any(const carom_held *held, uint32_t slot, uint32_t image);

#endif
