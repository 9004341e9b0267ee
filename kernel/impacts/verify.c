/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the paths of a group. Out: the bodies of other groups that they meet, and what they may hit in later windows.
 *
 * The pieces that bodies have when the window begins do not meet between groups: who would meet in the window is in one
 * group from the beginning. So a new piece is held against all pieces of other groups' bodies, and pieces from the
 * beginning against nothing but new ones. Of two new pieces from one round one is held against the other. */
#include <math.h>
#include <string.h>

#include "kernel/impacts/pending.h"
#include "kernel/impacts/window.h"

/* Pieces of another body that last at some moment when one piece does: more are no usual motion. */
enum { PIECES_MOST = 64 };

/* Members between looks at the host's flag. */
enum { LOOK = 256 };

/* Two bodies that are neighbours: a member of the group at hand, and another. */
typedef struct couple {
    const carom_window *window;
    uint32_t a;
    uint32_t b;
    carom_pair_image image; /* of b, from a */
} couple;

/* A piece that lasts until a time, or for all that is known as long as the hulls. */
typedef struct lasting {
    carom_piece *piece;
    const carom_coarse_path *coarse;
    double end; /* in this window */
    bool last;
    bool is_new; /* not the one with which the window begins */
} lasting;

/* A member, and a piece of its path. */
typedef struct held {
    const carom_window *window;
    carom_impacts_worker *own;
    const carom_active *member;
    lasting piece;
} held;

/* A new piece ends at the next one of the worker's, or with the window. */
static lasting lasting_of(const carom_window *window, carom_path_piece *path, uint32_t n) {
    const uint32_t next = path[n].next;
    const bool last = next == CAROM_IMPACTS_NONE;
    return (lasting){&path[n].piece, &path[n].coarse, last ? window->end : path[next].piece.start, last, true};
}

/* The body's entry, or NULL. */
static const carom_active *active_in(const carom_window *window, uint32_t slot) {
    const uint32_t entry = window->active_of[slot];
    return entry == CAROM_IMPACTS_NONE ? NULL : &carom_window_active(window)[entry];
}

/* The piece with which the window begins. `active` NULL: the body has none other. */
static lasting first_piece(const carom_window *window, uint32_t slot, const carom_active *active) {
    const bool changed = active != NULL && active->first != CAROM_IMPACTS_NONE;
    return (lasting){&window->bodies->piece[slot], &window->hulls->coarse[slot],
                     changed ? carom_window_path(window, active->worker)[active->first].piece.start : window->end,
                     !changed, false};
}

static double lasts_until(const carom_window *window, const lasting *p) {
    return p->last ? window->hulls->frame.end : p->end;
}

/* Two pieces meet if they collide while both last, or in the moment in which one ends: then the order of impacts
 * decides, which is not known here. Those that collide after the window, if nothing else happens, are noted. */
static bool meets(const held *h, const couple *c, const lasting *b) {
    const lasting *a = &h->piece;
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

static bool may_meet(const couple *c, const lasting *a, const lasting *b) {
    const double begin = a->piece->start > b->piece->start ? a->piece->start : b->piece->start;
    const double until_a = lasts_until(c->window, a);
    const double until_b = b->is_new ? lasts_until(c->window, b) : c->window->hulls->frame.end;
    const double end = until_a < until_b ? until_a : until_b;
    return begin <= end && carom_hulls_may_meet(c->window->hulls, a->coarse, b->coarse, &c->image, begin, end);
}

/* The other body's first new piece that lasts until the held one begins, or longer. Both paths are walked once: no
 * piece of the member that comes later needs an earlier one. */
static uint32_t first_that_lasts(const held *h, const carom_active *b) {
    const carom_window *window = h->window;
    carom_path_piece *path = carom_window_path(window, b->worker);
    carom_hint *hint = (carom_hint *)h->own->hint.buffer.data + window->active_of[b->slot];
    uint32_t n = hint->member == h->own->member ? hint->piece : b->first;
    while (n != CAROM_IMPACTS_NONE && lasting_of(window, path, n).end < h->piece.piece->start) {
        n = path[n].next;
    }
    *hint = (carom_hint){h->own->member, n};
    return n;
}

/* Several pieces may begin and end in one moment: all that last at some moment when the held one does count. Where they
 * are very many, as in an inelastic collapse, the bodies count as meeting: to be in one group does no harm. */
static bool meets_new_piece(const held *h, const couple *c, const carom_active *b) {
    const carom_window *window = c->window;
    const lasting *p = &h->piece;
    carom_path_piece *path = carom_window_path(window, b->worker);
    uint32_t n = first_that_lasts(h, b);
    uint32_t pieces = 0;
    for (; n != CAROM_IMPACTS_NONE && path[n].piece.start <= p->end; n = path[n].next) {
        const lasting q = lasting_of(window, path, n);
        if (++pieces > PIECES_MOST || (may_meet(c, p, &q) && meets(h, c, &q))) {
            return true;
        }
    }
    return false;
}

/* Whether it is at this body to hold the piece against the other's new pieces: if both are of this round, either holds
 * them. */
static bool holds_new_pieces(const held *h, uint32_t slot) {
    if (h->piece.is_new && h->member->slot < slot) {
        return true;
    }
    return h->window->fresh > 1 &&
           carom_window_active(h->window)[active_in(h->window, slot)->parent].round < h->window->fresh;
}

static void note_meeting(const held *h, uint32_t slot, uint32_t image) {
    const carom_contact_pair pair = {h->member->slot, slot, image};
    const bool noted = carom_list_append(h->window->memory, &h->own->meeting, &pair, sizeof pair);
    h->own->failed = h->own->failed || !noted;
}

/* A neighbour in another group. */
static void hold_grouped(const held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_image_of(h->window->bodies->periodic, image)};
    if (holds_new_pieces(h, slot) && meets_new_piece(h, &c, active_in(h->window, slot))) {
        note_meeting(h, slot, image);
    }
}

/* A neighbour that is not in the same group, and whose first piece may be met. Within the window a fixed one took part
 * in the group's simulation. */
static void hold_near(const held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_image_of(h->window->bodies->periodic, image)};
    const lasting q = first_piece(h->window, slot, active_in(h->window, slot));
    if (meets(h, &c, &q) && !carom_impacts_is_fixed(h->window->bodies, slot)) {
        note_meeting(h, slot, image);
    }
}

/* Any neighbour. */
static void hold_any(const held *h, uint32_t slot, uint32_t image) {
    const couple c = {h->window, h->member->slot, slot, carom_image_of(h->window->bodies->periodic, image)};
    const carom_active *b = active_in(h->window, slot);
    if (b != NULL && b->parent == h->member->parent) {
        return;
    }
    const lasting q = first_piece(h->window, slot, b);
    if (h->piece.is_new && may_meet(&c, &h->piece, &q)) {
        hold_near(h, slot, image);
    }
    if (b != NULL) {
        hold_grouped(h, slot, image);
    }
}

/* A surface is no member of a group, and within the window the group's simulation had it. */
static void note_surface(const held *h, uint32_t surface) {
    if (h->piece.is_new && h->piece.last) {
        const double t = carom_impacts_predict_surface(h->window->bodies, h->member->slot, h->piece.piece,
                                                       surface - CAROM_IMPACTS_SURFACE);
        const carom_pending pending = {{h->member->slot, surface, CAROM_IMAGE_SELF}, {h->piece.piece->count, 0}, t};
        carom_pending_note(h->window, h->own, &pending, (const bool[2]){true, false});
    }
}

/* Bodies that are met, if at all, at no image but themselves: the kernel tests `count` of them. `near` and `grouped`
 * have room for all. */
static void hold_bodies(const held *h, const uint32_t *slot, uint32_t count, uint32_t *near, uint32_t *grouped) {
    const carom_window *window = h->window;
    const carom_coarse_time time =
        carom_hulls_time(window->hulls, h->piece.piece->start, lasts_until(window, &h->piece));
    carom_coarse_path own = *h->piece.coarse;
    own.group = h->member->parent + 1;
    const carom_near_counts kept =
        window->simd->near_row(window->hulls->coarse, &own, slot, count, time, near, grouped);
    for (uint32_t n = 0; n < kept.near && h->piece.is_new; n++) {
        hold_near(h, near[n], CAROM_IMAGE_SELF);
    }
    for (uint32_t n = 0; n < kept.grouped; n++) {
        hold_grouped(h, grouped[n], CAROM_IMAGE_SELF);
    }
}

/* Holds the piece against an entry of a row, unless that is for the kernel. */
static bool is_held(const held *h, uint32_t other, uint32_t image) {
    if (carom_impacts_is_surface(other)) {
        note_surface(h, other);
        return true;
    }
    if (image != CAROM_IMAGE_SELF) {
        hold_any(h, other, image);
        return true;
    }
    return false;
}

/* Holds the piece against the entries of a row that are not for the kernel, and returns the others: in open space those
 * after the surfaces, in a periodic box such as are picked out. */
static const uint32_t *hold_others(const held *h, uint64_t begin, uint64_t end, uint32_t *picked, uint32_t *count) {
    const carom_impacts_rows *rows = h->window->rows;
    uint64_t at = begin;
    *count = 0;
    if (rows->image == NULL) {
        while (at < end && is_held(h, rows->other[at], CAROM_IMAGE_SELF)) {
            at++;
        }
        *count = (uint32_t)(end - at);
        return rows->other + at;
    }
    for (; at < end; at++) {
        if (!is_held(h, rows->other[at], rows->image[at])) {
            picked[(*count)++] = rows->other[at];
        }
    }
    return picked;
}

/* Holds a piece against all neighbours. */
static void hold_piece(const held *h) {
    const carom_window *window = h->window;
    carom_row_walk row = carom_row_begin(window->rows, h->member->slot);
    const uint64_t room = row.end - row.at + CAROM_SIMD_PAD;
    if (carom_buffer_reserve(window->memory, &h->own->near, 3 * room * sizeof(uint32_t)) != CAROM_OK) {
        h->own->failed = true;
        return;
    }
    uint32_t *near = h->own->near.data;
    uint32_t count = 0;
    const uint32_t *slot = hold_others(h, row.at, row.end, near + 2 * room, &count);
    hold_bodies(h, slot, count, near, near + room);
    row.at = row.end;
    while (carom_row_next(window->rows, &row)) {
        if (!is_held(h, row.other, row.image)) {
            hold_any(h, row.other, row.image);
        }
    }
}

/* Whether the body in a slot may touch the held one when the held piece begins. */
static bool touches(const held *h, const couple *c) {
    const carom_window *window = h->window;
    const double t = h->piece.piece->start;
    const carom_active *b = active_in(window, c->b);
    lasting q = first_piece(window, c->b, b);
    if (q.end < t) {
        carom_path_piece *path = carom_window_path(window, b->worker);
        uint32_t n = b->first;
        while (lasting_of(window, path, n).end < t) {
            n = path[n].next;
        }
        q = lasting_of(window, path, n);
    }
    return carom_hulls_may_touch(window->hulls, h->piece.coarse, q.coarse, &c->image, t);
}

/* A giant hits much dust in one moment, and each of the many pieces of that moment would be held against all dust that
 * it touches: whoever touches it then joins its group. */
static void join_touching(const held *h) {
    const carom_window *window = h->window;
    carom_row_walk row = carom_row_begin(window->rows, h->member->slot);
    while (carom_row_next(window->rows, &row)) {
        if (carom_impacts_is_surface(row.other) || carom_impacts_is_fixed(window->bodies, row.other)) {
            continue;
        }
        const couple c = {window, h->member->slot, row.other, carom_image_of(window->bodies->periodic, row.image)};
        const carom_active *b = active_in(window, row.other);
        if ((b == NULL || b->parent != h->member->parent) && touches(h, &c)) {
            note_meeting(h, row.other, row.image);
        }
    }
}

/* Counts pieces from n on that begin and end in one moment, and finds the one after them. */
static uint32_t pieces_of_moment(const carom_path_piece *path, uint32_t n, uint32_t *after) {
    uint32_t count = 0;
    uint32_t next = path[n].next;
    while (next != CAROM_IMPACTS_NONE && path[next].piece.start == path[n].piece.start) {
        count++;
        *after = next;
        next = path[next].next;
    }
    return count;
}

/* Holds the body's new pieces, or those of a moment together. */
static void hold_path(const carom_window *window, const carom_active *a, carom_impacts_worker *own) {
    carom_path_piece *path = carom_window_path(window, a->worker);
    double moment = -1.0;
    for (uint32_t n = a->first; n != CAROM_IMPACTS_NONE && !own->failed;) {
        uint32_t after = n;
        const held h = {window, own, a, lasting_of(window, path, n)};
        if (path[n].piece.start != moment && pieces_of_moment(path, n, &after) > PIECES_MOST) {
            join_touching(&h);
            n = after;
        } else {
            hold_piece(&h);
            n = path[n].next;
        }
        moment = h.piece.piece->start;
    }
}

/* Where paths were verified and dropped, first pieces may last longer than they did. */
static void verify_member(const carom_window *window, uint32_t entry, carom_impacts_worker *own) {
    const carom_active *a = &carom_window_active(window)[entry];
    own->member++;
    if (carom_window_active(window)[a->parent].verified) {
        const held h = {window, own, a, first_piece(window, a->slot, a)};
        hold_piece(&h);
    }
    hold_path(window, a, own);
}

/* Room for a hint of each entry: what is new there is of no member yet. */
static bool reserve_hints(const carom_window *window, carom_impacts_worker *own) {
    const uint64_t count = window->active.count;
    if (own->hint.count < count) {
        if (!carom_list_reserve(window->memory, &own->hint, count - own->hint.count, sizeof(carom_hint))) {
            own->failed = true;
            return false;
        }
        memset((carom_hint *)own->hint.buffer.data + own->hint.count, 0,
               (count - own->hint.count) * sizeof(carom_hint));
        own->hint.count = count;
    }
    return true;
}

void carom_window_verify(carom_window *window, uint32_t root, uint32_t worker) {
    if (!reserve_hints(window, &window->worker[worker])) {
        return;
    }
    uint32_t entry = root;
    uint32_t count = 0;
    do {
        verify_member(window, entry, &window->worker[worker]);
        entry = carom_window_active(window)[entry].next;
        (void)(++count % LOOK == 0 && window->control != NULL && carom_control_look(window->control));
    } while (entry != root && !carom_control_stopped(window->control));
}
