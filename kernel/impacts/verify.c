/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the paths of a group. Out: the bodies of other groups that they meet, and what they may hit in later windows.
 *
 * The pieces that bodies have when the window begins do not meet between groups: who would meet in the window is in one
 * group from the beginning. So a new piece is held against all pieces of other groups' bodies, and pieces from the
 * beginning against nothing but new ones. Of two new pieces from one round one is held against the other. */
#include <math.h>
#include <string.h>

#include "kernel/impacts/held.h"
#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/moment.h"
#include "kernel/impacts/pending.h"

/* Members between looks at the host's flag. */
enum { LOOK = 256 };

/* A surface is no member of a group, and within the window the group's simulation had it. */
static void note_surface(const carom_held *h, uint32_t surface) {
    if (h->piece.is_new && h->piece.last) {
        const double t = carom_impacts_predict_surface(h->window->bodies, h->member->slot, h->piece.piece,
                                                       surface - CAROM_IMPACTS_SURFACE);
        const carom_pending pending = {{h->member->slot, surface, CAROM_IMAGE_SELF}, {h->piece.piece->count, 0}, t};
        carom_pending_note(h->window, h->own, &pending, (const bool[2]){true, false});
    }
}

/* Slots of bodies that are met, if at all, at no image but themselves. Of `grouped` those are that are in groups. */
typedef struct candidates {
    const uint32_t *near;
    const uint32_t *grouped; /* NULL: in `near` */
    uint32_t count;
    uint32_t count_grouped;
} candidates;

/* Room for slots of a row's entries. */
typedef struct room {
    uint32_t *near;
    uint32_t *grouped;
    uint32_t *picked;
} room;

/* What hold_piece and hold_moment share is inlined by force: nearly all pieces go through the former, where calls cost
 * a tenth of the verification. */

/* Holds the piece against bodies that the kernel does not rule out. */
static inline __attribute__((always_inline)) void hold_bodies(const carom_held *h, const candidates *bodies,
                                                              const room *into) {
    const carom_window *window = h->window;
    const carom_coarse_time time =
        carom_hulls_time(window->hulls, h->piece.piece->start, carom_held_until(window, &h->piece));
    carom_coarse_path own = *h->piece.coarse;
    own.group = h->member->parent + 1;
    const carom_near_counts kept = window->simd->near_row(window->hulls->coarse, &own, bodies->near, bodies->count,
                                                          time, into->near, into->grouped);
    for (uint32_t n = 0; n < kept.near && h->piece.is_new; n++) {
        carom_held_near(h, into->near[n]);
    }
    const uint32_t *grouped = bodies->grouped != NULL ? bodies->grouped : into->grouped;
    const uint32_t count = bodies->grouped != NULL ? bodies->count_grouped : kept.grouped;
    for (uint32_t n = 0; n < count; n++) {
        carom_held_grouped(h, grouped[n]);
    }
}

/* Holds the piece against an entry of a row, unless that is for the kernel. */
static bool is_held(const carom_held *h, uint32_t other, uint32_t image) {
    if (carom_impacts_is_surface(other)) {
        note_surface(h, other);
        return true;
    }
    if (image != CAROM_IMAGE_SELF) {
        carom_held_any(h, other, image);
        return true;
    }
    return false;
}

/* Holds the piece against the entries of a row that are not for the kernel, and returns the others: in open space those
 * after the surfaces, in a periodic box such as are picked out. */
static inline __attribute__((always_inline)) candidates hold_others(const carom_held *h, uint64_t begin, uint64_t end,
                                                                    uint32_t *picked) {
    const carom_impacts_rows *rows = h->window->rows;
    uint64_t at = begin;
    uint32_t count = 0;
    if (rows->image == NULL) {
        while (at < end && is_held(h, rows->other[at], CAROM_IMAGE_SELF)) {
            at++;
        }
        return (candidates){.near = rows->other + at, .count = (uint32_t)(end - at)};
    }
    for (; at < end; at++) {
        if (!is_held(h, rows->other[at], rows->image[at])) {
            picked[count++] = rows->other[at];
        }
    }
    return (candidates){.near = picked, .count = count};
}

/* Holds the piece against what was added to a row. */
static inline __attribute__((always_inline)) void hold_added(const carom_held *h, carom_row_walk row) {
    row.at = row.end;
    while (carom_row_next(h->window->rows, &row)) {
        if (!is_held(h, row.other, row.image)) {
            carom_held_any(h, row.other, row.image);
        }
    }
}

/* Room for three times a row's entries in a buffer. */
static inline __attribute__((always_inline)) bool reserve(const carom_held *h, carom_buffer *buffer, uint64_t entries,
                                                          room *r) {
    const uint64_t each = entries + CAROM_SIMD_PAD;
    if (carom_buffer_reserve(h->window->memory, buffer, 3 * each * sizeof(uint32_t)) != CAROM_OK) {
        h->own->failed = true;
        return false;
    }
    r->near = buffer->data;
    r->grouped = r->near + each;
    r->picked = r->grouped + each;
    return true;
}

/* Holds a piece against all neighbours. */
static void hold_piece(const carom_held *h) {
    const carom_row_walk row = carom_row_begin(h->window->rows, h->member->slot);
    const uint64_t end = carom_long_rows_end(h->window->rows, h->member->slot);
    room r;
    if (reserve(h, &h->own->near, end - row.at, &r)) {
        const candidates bodies = hold_others(h, row.at, end, r.picked);
        hold_bodies(h, &bodies, &r);
        hold_added(h, row);
    }
}

/* Holds pieces from n until `after`, which begin and end in one moment, against all neighbours of a long row. */
static void hold_moment(const carom_window *window, const carom_active *a, carom_impacts_worker *own, uint32_t n,
                        uint32_t after) {
    const carom_row_walk row = carom_row_begin(window->rows, a->slot);
    const uint64_t end = carom_long_rows_end(window->rows, a->slot);
    carom_path_piece *path = carom_window_path(window, a->worker);
    candidates kept = {.near = NULL};
    room r;
    room of_moment;
    for (uint32_t m = n; m != after && !own->failed; m = path[m].next) {
        const carom_held h = {window, own, a, own->verification.member, carom_held_piece(window, path, m)};
        if (!reserve(&h, &own->near, end - row.at, &r) ||
            !reserve(&h, &own->verification.moment, end - row.at, &of_moment)) {
            return;
        }
        const candidates bodies = hold_others(&h, row.at, end, r.picked);
        if (m == n) {
            const carom_near_counts counts =
                carom_moment_keep(window, a, n, after, bodies.near, bodies.count, of_moment.near, of_moment.grouped);
            kept = (candidates){of_moment.near, of_moment.grouped, counts.near, counts.grouped};
        }
        hold_bodies(&h, &kept, &r);
        hold_added(&h, row);
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

/* Pieces of a moment of a body with a long row that are held together. */
enum { MOMENT_LEAST = 2 };

/* Holds the body's new pieces, or those of a moment together. */
static void hold_path(const carom_window *window, const carom_active *a, carom_impacts_worker *own) {
    carom_path_piece *path = carom_window_path(window, a->worker);
    double moment = -1.0;
    for (uint32_t n = a->first; n != CAROM_IMPACTS_NONE && !own->failed; n = path[n].next) {
        uint32_t after = n;
        const uint32_t pieces = path[n].piece.start != moment ? carom_moment_pieces(path, n, &after) : 0;
        moment = path[n].piece.start;
        if (pieces > CAROM_HELD_PIECES_MOST) {
            const carom_held first = {window, own, a, own->verification.member, carom_held_piece(window, path, n)};
            join_touching(&first);
            n = after;
        } else if (pieces >= MOMENT_LEAST && carom_row_is_long(window->rows, a->slot)) {
            hold_moment(window, a, own, n, after);
            n = after;
        }
        const carom_held h = {window, own, a, own->verification.member, carom_held_piece(window, path, n)};
        hold_piece(&h);
    }
}

/* Where paths were verified and dropped, first pieces may last longer than they did. */
static void verify_member(const carom_window *window, uint32_t entry, carom_impacts_worker *own) {
    const carom_active *a = &carom_window_active(window)[entry];
    own->verification.member++;
    if (carom_window_active(window)[a->parent].verified) {
        const carom_held h = {window, own, a, own->verification.member, carom_held_first(window, a->slot, a)};
        hold_piece(&h);
    }
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
