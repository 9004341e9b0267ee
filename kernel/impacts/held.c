/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a piece, and a body that is a neighbour. Out: whether they meet in this window, and what they may do later. */
#include "kernel/impacts/held.h"

#include "kernel/impacts/pending.h"

/* Two bodies that are neighbours: a member of the group at hand, and another. */
typedef struct couple {
    const carom_window *window;
    uint32_t a;
    uint32_t b;
    carom_pair_image image; /* of b, from a */
} couple;

/* Two pieces meet if they collide while both last, or in the moment in which one ends: then the order of impacts
 * decides, which is not known here. Those that collide after the window, if nothing else happens, are noted. */
static bool meets(const carom_held *h, const couple *c, const carom_lasting *b) {
    const carom_lasting *a = &h->piece;
    const double end = a->end < b->end ? a->end : b->end;
    const double t = carom_impacts_predict(c->window->bodies, c->a, a->piece, c->b, b->piece, c->image.code);
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
    const double until_b = b->is_new ? carom_held_until(c->window, b) : c->window->hulls->frame.end;
    const double end = until_a < until_b ? until_a : until_b;
    return begin <= end && carom_hulls_may_meet(c->window->hulls, a->coarse, b->coarse, &c->image, begin, end);
}

/* The other body's first new piece that lasts until the held one begins, or longer. Both paths are walked once: no
 * piece of the member that comes later needs an earlier one. */
static uint32_t first_that_lasts(const carom_held *h, const carom_active *b) {
    const carom_window *window = h->window;
    carom_path_piece *path = carom_window_path(window, b->worker);
    carom_hint *hint = (carom_hint *)h->own->verification.hint.buffer.data + window->active_of[b->slot];
    uint32_t n = hint->member == h->own->verification.member ? hint->piece : b->first;
    while (n != CAROM_IMPACTS_NONE && carom_held_piece(window, path, n).end < h->piece.piece->start) {
        n = path[n].next;
    }
    *hint = (carom_hint){h->own->verification.member, n};
    return n;
}

/* Several pieces may begin and end in one moment: all that last at some moment when the held one does count. Where they
 * are very many, as in an inelastic collapse, the bodies count as meeting: to be in one group does no harm. */
static bool meets_new_piece(const carom_held *h, const couple *c, const carom_active *b) {
    const carom_window *window = c->window;
    const carom_lasting *p = &h->piece;
    carom_path_piece *path = carom_window_path(window, b->worker);
    uint32_t n = first_that_lasts(h, b);
    uint32_t pieces = 0;
    for (; n != CAROM_IMPACTS_NONE && path[n].piece.start <= p->end; n = path[n].next) {
        const carom_lasting q = carom_held_piece(window, path, n);
        if (++pieces > CAROM_HELD_PIECES_MOST || (may_meet(c, p, &q) && meets(h, c, &q))) {
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
    return h->window->unverified > 1 &&
           carom_window_active(h->window)[carom_held_active(h->window, slot)->parent].round < h->window->unverified;
}

void carom_held_note(const carom_held *h, uint32_t slot, uint32_t image) {
    const carom_contact_pair pair = {h->member->slot, slot, image};
    const bool noted = carom_list_append(h->window->memory, &h->own->meeting, &pair, sizeof pair);
    h->own->failed = h->own->failed || !noted;
}

/* A neighbour in another group. */
void carom_held_grouped(const carom_held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_impacts_image(h->window->bodies, image)};
    if (holds_new_pieces(h, slot) && meets_new_piece(h, &c, carom_held_active(h->window, slot))) {
        carom_held_note(h, slot, image);
    }
}

/* A neighbour that is not in the same group, and whose first piece may be met. Within the window a fixed one took part
 * in the group's simulation. */
static void hold_near(const carom_held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_impacts_image(h->window->bodies, image)};
    const carom_lasting q = carom_held_first(h->window, slot, carom_held_active(h->window, slot));
    if (meets(h, &c, &q) && !carom_impacts_is_fixed(h->window->bodies, slot)) {
        carom_held_note(h, slot, image);
    }
}

/* A piece that waits for a body to be fetched. */
typedef struct waiting {
    carom_held held;
    uint32_t slot;
} waiting;

/* Pieces that wait at most. */
enum { WAITING = 48 };

void carom_held_finish(carom_impacts_worker *own) {
    const waiting *w = own->verification.waiting.buffer.data;
    for (uint64_t n = 0; n < own->verification.waiting.count; n++) {
        hold_near(&w[n].held, w[n].slot, CAROM_IMAGE_SELF);
    }
    own->verification.waiting.count = 0;
}

static inline __attribute__((always_inline)) void fetch(const carom_window *window, uint32_t slot) {
    __builtin_prefetch(&window->bodies->piece[slot]);
    __builtin_prefetch(&window->bodies->body[slot]);
    __builtin_prefetch(&window->bodies->number[slot]);
    __builtin_prefetch(&window->active_of[slot]);
}

void carom_held_near(const carom_held *h, uint32_t slot) {
    const waiting next = {*h, slot};
    if (h->own->verification.waiting.count == WAITING) {
        carom_held_finish(h->own);
    }
    fetch(h->window, slot);
    h->own->failed =
        h->own->failed || !carom_list_append(h->window->memory, &h->own->verification.waiting, &next, sizeof next);
}

void carom_held_any(const carom_held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_impacts_image(h->window->bodies, image)};
    const carom_active *b = carom_held_active(h->window, slot);
    if (b != NULL && b->parent == h->member->parent) {
        return;
    }
    const carom_lasting q = carom_held_first(h->window, slot, b);
    if (h->piece.is_new && may_meet(&c, &h->piece, &q)) {
        hold_near(h, slot, image);
    }
    if (b != NULL) {
        carom_held_grouped(h, slot, image);
    }
}
