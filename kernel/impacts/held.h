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
    return p->last ? window->hulls->until : p->end;
}

/* Piece n of the path of a member that is verified. */
static inline carom_held carom_held_of(const carom_window *window, carom_impacts_worker *own, const carom_active *member,
                                       uint32_t n) {
    carom_path_piece *path = carom_window_path(window, member->worker);
    return (carom_held){window, own, member, own->verification.member, carom_held_piece(window, path, n)};
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

/* A surface is no member of a group, and within the window the group's simulation had it. */
void carom_held_surface(const carom_held *held, uint32_t surface);

/* Bodies that are met, if at all, at no image but themselves: the kernel tests these. */
static inline bool carom_held_is_for_kernel(uint32_t other, uint32_t image) {
    return !carom_impacts_is_surface(other) && image == CAROM_IMAGE_SELF;
}

/* Holds the piece against an entry of a row that is not for the kernel. */
static inline void carom_held_other(const carom_held *held, uint32_t other, uint32_t image) {
    if (carom_impacts_is_surface(other)) {
        carom_held_surface(held, other);
    } else {
        carom_held_any(held, other, image);
    }
}

/* Slots of bodies for the kernel. Of `grouped` those are that are in groups. */
typedef struct carom_candidates {
    const uint32_t *near;
    const uint32_t *grouped; /* NULL: in `near` */
    uint32_t count;
    uint32_t count_grouped;
} carom_candidates;

/* Holds the piece against bodies that the kernel does not rule out. `near` and `grouped` have room as for near_row. What
 * most pieces go through is inlined by force: calls cost a tenth of the verification. */
static inline __attribute__((always_inline)) void carom_held_bodies(const carom_held *held,
                                                                    const carom_candidates *bodies, uint32_t *near,
                                                                    uint32_t *grouped) {
    const carom_window *window = held->window;
    const carom_coarse_time time =
        carom_hulls_time(window->hulls, held->piece.piece->start, carom_held_until(window, &held->piece));
    carom_coarse_path own = *held->piece.coarse;
    own.group = held->member->parent + 1;
    const carom_near_counts kept =
        window->simd->near_row(window->hulls->coarse, &own, bodies->near, bodies->count, time, near, grouped);
    const uint32_t *others = bodies->grouped != NULL ? bodies->grouped : grouped;
    const uint32_t count = bodies->grouped != NULL ? bodies->count_grouped : kept.grouped;
    for (uint32_t n = 0; n < kept.near && held->piece.is_new; n++) {
        carom_held_near(held, near[n]);
    }
    for (uint32_t n = 0; n < count; n++) {
        carom_held_grouped(held, others[n]);
    }
}

#endif
