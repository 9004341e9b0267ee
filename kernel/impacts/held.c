/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a piece, and a body that is a neighbour. Out: whether they meet in this window, and what they may do later. */
#include "kernel/impacts/held.h"

#include <math.h>

#include "kernel/impacts/pending.h"

/* Two bodies that are neighbours: a member of the group at hand, and another. */
typedef struct couple {
    const carom_window *window;
    uint32_t a;
    uint32_t b;
    carom_pair_image image; /* of b, from a */
} couple;

static double predict(const carom_held *h, const couple *c, const carom_lasting *b) {
    return carom_impacts_predict(c->window->bodies, c->a, h->piece.piece, c->b, b->piece, c->image.code);
}

/* Two pieces, which would collide at t, meet if they do so while both last, or in the moment in which one ends: then
 * the order of impacts decides, which is not known here. Those that collide after the window, if nothing else happens,
 * are noted. */
static bool meets(const carom_held *h, const couple *c, const carom_lasting *b, double t) {
    const carom_lasting *a = &h->piece;
    const double end = a->end < b->end ? a->end : b->end;
    if (t <= end && t < c->window->end) {
        return true;
    }
    if (a->last && (b->last || !b->is_new)) {
        const carom_pending pending = {{c->a, c->b, c->image.code}, {a->piece->count, b->piece->count}, t};
        carom_pending_note(c->window, h->own, &pending, (const bool[2]){a->is_new, b->is_new});
    }
    return false;
}

static bool may_meet(const couple *c, const carom_lasting *a, const carom_lasting *b) {
    const double begin = a->piece->start > b->piece->start ? a->piece->start : b->piece->start;
    const double until_a = carom_held_until(c->window, a);
    const double until_b = b->is_new ? carom_held_until(c->window, b) : c->window->hulls->until;
    const double end = until_a < until_b ? until_a : until_b;
    return begin <= end && carom_hulls_may_meet(c->window->hulls, a->coarse, b->coarse, &c->image, begin, end);
}

/* Of pieces from n on the first that lasts until the held one begins, or longer. */
static uint32_t skip_past(const carom_held *h, carom_path_piece *path, uint32_t n) {
    while (n != CAROM_IMPACTS_NONE && carom_held_piece(h->window, path, n).end < h->piece.piece->start) {
        n = path[n].moment != n ? path[n].moment : path[n].next;
    }
    return n;
}

/* The other body's first new piece that counts. Both paths are walked once: no piece of the member that comes later
 * needs an earlier one. Pieces held against other images do not wait for those before them, so they have no hint. */
static uint32_t first_that_lasts(const carom_held *h, const carom_active *b, uint32_t image) {
    carom_path_piece *path = carom_window_path(h->window, b->worker);
    if (image != CAROM_IMAGE_SELF) {
        return skip_past(h, path, b->first);
    }
    carom_hint *hint = (carom_hint *)h->own->verification.hint.buffer.data + h->window->active_of[b->slot];
    const uint32_t n = skip_past(h, path, hint->member == h->number ? hint->piece : b->first);
    *hint = (carom_hint){h->number, n};
    return n;
}

/* Of several pieces that begin at one time all but the last one end at once: none counts if the two do not touch then.
 */
static uint32_t skip_moment(const carom_held *h, const couple *c, const carom_path_piece *path, uint32_t n) {
    const bool touch = path[n].moment == n || carom_hulls_may_touch(h->window->hulls, h->piece.coarse, &path[n].coarse,
                                                                    &c->image, path[n].piece.start);
    return touch ? n : path[n].moment;
}

/* Several pieces may begin and end in one moment: all that last at some moment when the held one does count. Where they
 * are very many, as in an inelastic collapse, the bodies count as meeting: to be in one group does no harm. */
static bool meets_new_piece(const carom_held *h, const couple *c, const carom_active *b) {
    const carom_window *window = c->window;
    const carom_lasting *p = &h->piece;
    carom_path_piece *path = carom_window_path(window, b->worker);
    uint32_t n = first_that_lasts(h, b, c->image.code);
    uint32_t pieces = 0;
    for (; n != CAROM_IMPACTS_NONE && path[n].piece.start <= p->end; n = path[n].next) {
        n = skip_moment(h, c, path, n);
        const carom_lasting q = carom_held_piece(window, path, n);
        if (may_meet(c, p, &q) && (++pieces > CAROM_HELD_PIECES_MOST || meets(h, c, &q, predict(h, c, &q)))) {
            return true;
        }
    }
    return false;
}

/* Whether it is at this body to hold the piece against the other's new pieces: if both are of this round, either holds
 * them. */
static bool holds_new_pieces(const carom_held *h, uint32_t slot) {
    if (h->piece.is_new && h->member->slot < slot) {
        return true;
    }
    const carom_verified *verified = &h->window->verified;
    if (verified->ordered) {
        return h->window->hulls->coarse[slot].group <= verified->root;
    }
    return carom_window_active(h->window)[carom_held_active(h->window, slot)->parent].round < verified->round;
}

void carom_held_note(const carom_held *h, uint32_t slot, uint32_t image) {
    const carom_contact_pair pair = {h->member->slot, slot, image};
    const bool noted = carom_list_append(h->window->memory, &h->own->meeting, &pair, sizeof pair);
    h->own->failed = h->own->failed || !noted;
}

/* A neighbour in another group. */
static void hold_grouped(const carom_held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_impacts_image(h->window->bodies, image)};
    if (meets_new_piece(h, &c, carom_held_active(h->window, slot))) {
        carom_held_note(h, slot, image);
    }
}

/* A neighbour that is not in the same group, and whose first piece would be met at t; NaN: that is to be predicted.
 * Within the window a fixed one took part in the group's simulation. */
static void hold_near(const carom_held *h, uint32_t slot, uint32_t image, double t) {
    const couple c = {h->window, h->member->slot, slot, carom_impacts_image(h->window->bodies, image)};
    const carom_lasting q = carom_held_first(h->window, slot, carom_held_active(h->window, slot));
    if (meets(h, &c, &q, isnan(t) ? predict(h, &c, &q) : t) && !carom_impacts_is_fixed(h->window->bodies, slot)) {
        carom_held_note(h, slot, image);
    }
}

/* A piece that waits for a body to be fetched, or for its new pieces. */
typedef struct waiting {
    carom_held held;
    uint32_t slot;
    bool grouped;
} waiting;

/* Pieces that wait at most. */
enum { WAITING = 48 };

static inline __attribute__((always_inline)) void fetch_path(const waiting *w) {
    const carom_window *window = w->held.window;
    const carom_active *b = carom_held_active(window, w->slot);
    if (w->grouped) {
        __builtin_prefetch((const carom_hint *)w->held.own->verification.hint.buffer.data + window->active_of[w->slot]);
        if (b->first != CAROM_IMPACTS_NONE) {
            __builtin_prefetch(&carom_window_path(window, b->worker)[b->first].piece);
            __builtin_prefetch(&carom_window_path(window, b->worker)[b->first].coarse);
        }
    }
}

/* Holds the pieces that wait for bodies: the kernel predicts when they collide. */
static void hold_all_near(const waiting *w, uint64_t count) {
    carom_piece held[WAITING];
    uint32_t at[WAITING];
    uint32_t slot[WAITING];
    uint64_t from[WAITING];
    double reach[WAITING + CAROM_SIMD_PAD];
    double t[WAITING + CAROM_SIMD_PAD];
    const carom_window *window = w[0].held.window;
    const carom_impacts_bodies *bodies = window->bodies;
    uint32_t near = 0;
    for (uint64_t n = 0; n < count; n++) {
        const carom_held *h = &w[n].held;
        carom_piece *piece = &bodies->piece[w[n].slot];
        if (!w[n].grouped && carom_impacts_can_collide(bodies, h->member->slot, h->piece.piece, w[n].slot, piece)) {
            held[near] = *h->piece.piece;
            at[near] = near;
            slot[near] = w[n].slot;
            from[near] = n;
            reach[near++] = bodies->body[h->member->slot].radius + bodies->body[w[n].slot].radius;
        }
    }
    if (near == 0) {
        return;
    }
    window->simd->impact_times(carom_impacts_motion(held), at, carom_impacts_motion(bodies->piece), slot, reach, near,
                               t);
    for (uint32_t n = 0; n < near; n++) {
        hold_near(&w[from[n]].held, slot[n], CAROM_IMAGE_SELF, t[n]);
    }
}

void carom_held_finish(carom_impacts_worker *own) {
    const waiting *w = own->verification.waiting.buffer.data;
    const uint64_t count = own->verification.waiting.count;
    for (uint64_t n = 0; n < count; n++) {
        if (w[n].grouped) {
            __builtin_prefetch(carom_held_active(w[n].held.window, w[n].slot));
        }
    }
    for (uint64_t n = 0; n < count; n++) {
        fetch_path(&w[n]);
    }
    if (count > 0) {
        hold_all_near(w, count);
    }
    for (uint64_t n = 0; n < count; n++) {
        if (w[n].grouped) {
            hold_grouped(&w[n].held, w[n].slot, CAROM_IMAGE_SELF);
        }
    }
    own->verification.waiting.count = 0;
}

static void wait(const carom_held *h, uint32_t slot, bool grouped) {
    const waiting next = {*h, slot, grouped};
    if (h->own->verification.waiting.count == WAITING) {
        carom_held_finish(h->own);
    }
    __builtin_prefetch(&h->window->active_of[slot]);
    h->own->failed =
        h->own->failed || !carom_list_append(h->window->memory, &h->own->verification.waiting, &next, sizeof next);
}

void carom_held_near(const carom_held *h, uint32_t slot) {
    carom_impacts_fetch(h->window->bodies, slot);
    wait(h, slot, false);
}

void carom_held_grouped(const carom_held *h, uint32_t slot) {
    if (holds_new_pieces(h, slot)) {
        wait(h, slot, true);
    }
}

void carom_held_surface(const carom_held *h, uint32_t surface) {
    if (h->piece.is_new && h->piece.last) {
        const double t = carom_impacts_predict_surface(h->window->bodies, h->member->slot, h->piece.piece,
                                                       surface - CAROM_IMPACTS_SURFACE);
        const carom_pending pending = {{h->member->slot, surface, CAROM_IMAGE_SELF}, {h->piece.piece->count, 0}, t};
        carom_pending_note(h->window, h->own, &pending, (const bool[2]){true, false});
    }
}

void carom_held_any(const carom_held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_impacts_image(h->window->bodies, image)};
    const carom_active *b = carom_held_active(h->window, slot);
    if (b != NULL && b->parent == h->member->parent) {
        return;
    }
    const carom_lasting q = carom_held_first(h->window, slot, b);
    if (h->piece.is_new && may_meet(&c, &h->piece, &q)) {
        hold_near(h, slot, image, NAN);
    }
    if (b != NULL && holds_new_pieces(h, slot)) {
        hold_grouped(h, slot, image);
    }
}
