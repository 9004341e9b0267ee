/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the paths of a group. Out: the bodies of other groups that they meet, and what they may hit in later windows.
 *
 * The pieces that bodies have when the window begins do not meet between groups: who would meet in the window is in one
 * group from the beginning. So a new piece is held against all pieces of other groups' bodies, and pieces from the
 * beginning against nothing but new ones. A giant's bystanders were simulated with it, and only its last piece is held
 * against them. Of two new pieces from one round one is held against the other. */
#include <math.h>
#include <string.h>

#include "kernel/impacts/held.h"
#include "kernel/impacts/long_path.h"
#include "kernel/impacts/long_rows.h"

/* Members between looks at the host's flag. */
enum { LOOK = 256 };

/* Room for slots of a row's entries. */
typedef struct room {
    uint32_t *near;
    uint32_t *grouped;
    uint32_t *picked;
} room;

static inline __attribute__((always_inline)) bool reserve(const carom_held *h, uint64_t entries, room *r) {
    const uint64_t each = entries + CAROM_SIMD_PAD;
    if (carom_buffer_reserve(h->window->memory, &h->own->near, 3 * each * sizeof(uint32_t)) != CAROM_OK) {
        h->own->failed = true;
        return false;
    }
    r->near = h->own->near.data;
    r->grouped = r->near + each;
    r->picked = r->grouped + each;
    return true;
}

/* Holds the piece against the entries of a row that are not for the kernel, and returns the others: in open space those
 * after the surfaces, in a periodic box such as are picked out. */
static inline __attribute__((always_inline)) carom_candidates hold_others(const carom_held *h, uint64_t begin,
                                                                          uint64_t end, uint32_t *picked) {
    const carom_impacts_rows *rows = h->window->rows;
    uint64_t at = begin;
    uint32_t count = 0;
    if (rows->image == NULL) {
        while (at < end && carom_impacts_is_surface(rows->other[at])) {
            carom_held_surface(h, rows->other[at++]);
        }
        return (carom_candidates){.near = rows->other + at, .count = (uint32_t)(end - at)};
    }
    for (; at < end; at++) {
        if (carom_held_is_for_kernel(rows->other[at], rows->image[at])) {
            picked[count++] = rows->other[at];
        } else {
            carom_held_other(h, rows->other[at], rows->image[at]);
        }
    }
    return (carom_candidates){.near = picked, .count = count};
}

/* Holds a piece against all neighbours. What was added to the row is looked at one by one. */
static void hold_piece(const carom_held *h) {
    carom_row_walk row = carom_row_begin(h->window->rows, h->member->slot);
    const uint64_t end = carom_long_rows_end(h->window->rows, h->member->slot);
    room r;
    if (!reserve(h, end - row.at, &r)) {
        return;
    }
    const carom_candidates bodies = hold_others(h, row.at, end, r.picked);
    carom_held_bodies(h, &bodies, r.near, r.grouped);
    row.at = row.end;
    while (carom_row_next(h->window->rows, &row)) {
        carom_held_other(h, row.other, row.image);
    }
}

/* Whether the body in a slot, at an image, may touch the held one when the held piece begins. */
static bool touches(const carom_held *h, uint32_t slot, const carom_pair_image *image) {
    const carom_window *window = h->window;
    const double t = h->piece.piece->start;
    const carom_active *b = carom_held_active(window, slot);
    carom_lasting q = carom_held_first(window, slot, b);
    if (q.end < t) {
        carom_path_piece *path = carom_window_path(window, b->worker);
        uint32_t n = b->first;
        while (carom_held_piece(window, path, n).end < t) {
            n = path[n].next;
        }
        q = carom_held_piece(window, path, n);
    }
    return carom_hulls_may_touch(window->hulls, h->piece.coarse, q.coarse, image, t);
}

/* A giant hits much dust in one moment, and each of the many pieces of that moment would be held against all dust that
 * it touches: whoever touches it then joins its group. */
static void join_touching(const carom_held *h) {
    const carom_window *window = h->window;
    carom_row_walk row = carom_row_begin(window->rows, h->member->slot);
    while (carom_row_next(window->rows, &row)) {
        if (carom_impacts_is_surface(row.other) || carom_impacts_is_fixed(window->bodies, row.other)) {
            continue;
        }
        const carom_pair_image image = carom_impacts_image(window->bodies, row.image);
        const carom_active *b = carom_held_active(window, row.other);
        if ((b == NULL || b->parent != h->member->parent) && touches(h, row.other, &image)) {
            carom_held_note(h, row.other, row.image);
        }
    }
}

/* Counts pieces of a path from n on that begin and end in one moment; *after is the piece that follows them. */
static uint32_t pieces_of_moment(const carom_path_piece *path, uint32_t n, uint32_t *after) {
    uint32_t count = 0;
    *after = n;
    for (uint32_t next = path[n].next; next != CAROM_IMPACTS_NONE && path[next].piece.start == path[n].piece.start;
         next = path[next].next) {
        count++;
        *after = next;
    }
    return count;
}

/* Holds the body's new pieces. A giant's are held together. */
static void hold_path(const carom_window *window, const carom_active *a, carom_impacts_worker *own) {
    carom_path_piece *path = carom_window_path(window, a->worker);
    const bool together = a->first != a->last && carom_row_is_long(window->rows, a->slot);
    const bool seen = together && carom_long_path_is_seen(a);
    double moment = -1.0;
    own->verification.piece.count = 0;
    for (uint32_t n = a->first; n != CAROM_IMPACTS_NONE && !own->failed; n = path[n].next) {
        uint32_t after = n;
        const uint32_t pieces = !seen && path[n].piece.start != moment ? pieces_of_moment(path, n, &after) : 0;
        moment = path[n].piece.start;
        if (pieces > CAROM_HELD_PIECES_MOST) {
            const carom_held first = carom_held_of(window, own, a, n);
            join_touching(&first);
            n = after;
        }
        if (together) {
            own->failed = !carom_list_append(window->memory, &own->verification.piece, &n, sizeof n);
        } else {
            const carom_held h = carom_held_of(window, own, a, n);
            hold_piece(&h);
        }
    }
    if (together && !own->failed) {
        carom_long_path_hold(window, a, own);
    }
}

/* Where paths were verified and dropped, a first piece may last longer than it did: only then it is held again. */
static void verify_member(const carom_window *window, uint32_t entry, carom_impacts_worker *own) {
    carom_active *a = &carom_window_active(window)[entry];
    own->verification.member++;
    const carom_held first = {window, own, a, own->verification.member, carom_held_first(window, a->slot, a)};
    if (carom_window_active(window)[a->parent].verified && first.piece.end > a->held) {
        hold_piece(&first);
    }
    a->held = first.piece.end;
    hold_path(window, a, own);
}

/* Room for a hint of each entry: what is new there is of no member yet. */
static bool reserve_hints(const carom_window *window, carom_impacts_worker *own) {
    const uint64_t count = window->active.count;
    if (own->verification.hint.count < count) {
        if (!carom_list_reserve(window->memory, &own->verification.hint, count - own->verification.hint.count,
                                sizeof(carom_hint))) {
            own->failed = true;
            return false;
        }
        memset((carom_hint *)own->verification.hint.buffer.data + own->verification.hint.count, 0,
               (count - own->verification.hint.count) * sizeof(carom_hint));
        own->verification.hint.count = count;
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
        entry = carom_active_next(&carom_window_active(window)[entry]);
        (void)(++count % LOOK == 0 && window->control != NULL && carom_control_look(window->control));
    } while (entry != root && !carom_control_stopped(window->control));
}

void carom_window_verify_last(carom_window *window, uint32_t worker) {
    carom_held_finish(&window->worker[worker]);
}
