/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the paths of a group. Out: the groups that they meet, and notes of later impacts. */
#include <math.h>

#include "kernel/impacts/window.h"

typedef struct verifier {
    carom_window *window;
    uint32_t root;
    bool again; /* whole paths are held, first pieces too: they may last longer than they did */
} verifier;

/* A body's path in this window, and one piece of it. */
typedef struct path {
    uint32_t slot;
    carom_piece *piece;
    uint32_t next; /* the piece after it, or CAROM_IMPACTS_NONE */
} path;

static path piece_of(const carom_window *window, uint32_t slot, uint32_t n) {
    carom_path_piece *p = &carom_window_path(window)[n];
    return (path){slot, &p->piece, p->next};
}

/* When the piece ends: at the next one, or with the step. */
static double end_of(const carom_window *window, const path *p) {
    return p->next == CAROM_IMPACTS_NONE ? 1.0 : carom_window_path(window)[p->next].piece.start;
}

/* Two pieces meet if they collide while both last, or in the moment in which one ends: then the order of impacts
 * decides, which is not known here. */
static void hold_pieces(const carom_window *window, const path *a, const path *b, double *first) {
    const double end = fmin(end_of(window, a), end_of(window, b));
    if (a->piece->start <= end && b->piece->start <= end) {
        const double t = carom_impacts_predict(window->bodies, a->slot, a->piece, b->slot, b->piece);
        *first = t <= end ? fmin(*first, t) : *first;
    }
}

/* The first time at which a path from piece `from` on meets another one from piece `first` on. Each piece is held
 * against all that last at some moment when it does: several pieces may begin and end in one moment. */
static double meet(const carom_window *window, const carom_active *a, uint32_t from, uint32_t slot, uint32_t first) {
    double t = INFINITY;
    for (; from != CAROM_IMPACTS_NONE; from = carom_window_path(window)[from].next) {
        const path p = piece_of(window, a->slot, from);
        const double end = end_of(window, &p);
        path q = piece_of(window, slot, first);
        while (end_of(window, &q) < p.piece->start) {
            first = q.next;
            q = piece_of(window, slot, first);
        }
        hold_pieces(window, &p, &q, &t);
        while (q.next != CAROM_IMPACTS_NONE && carom_window_path(window)[q.next].piece.start <= end) {
            q = piece_of(window, slot, q.next);
            hold_pieces(window, &p, &q, &t);
        }
    }
    return t;
}

static double meet_inactive(const carom_window *window, const carom_active *a, uint32_t from, uint32_t slot) {
    const path q = {slot, &window->bodies->piece[slot], CAROM_IMPACTS_NONE};
    double t = INFINITY;
    for (uint32_t n = from; n != CAROM_IMPACTS_NONE; n = carom_window_path(window)[n].next) {
        const path p = piece_of(window, a->slot, n);
        hold_pieces(window, &p, &q, &t);
    }
    return t;
}

static void note_meeting(carom_window *window, uint32_t a, uint32_t b) {
    if (!carom_list_reserve(window->memory, &window->meeting, 1, sizeof(carom_pending))) {
        window->failed = true;
        return;
    }
    ((carom_pending *)window->meeting.buffer.data)[window->meeting.count++] = (carom_pending){a, b};
}

static void verify_pair(const verifier *v, const carom_active *a, uint32_t from, uint32_t slot) {
    carom_window *window = v->window;
    const uint32_t entry = window->active_of[slot];
    const uint32_t own = a->slot;
    double t = INFINITY;
    if (entry == CAROM_IMPACTS_NONE) {
        t = meet_inactive(window, a, from, slot);
    } else if (carom_window_root(window, entry) != v->root) {
        t = meet(window, a, from, slot, carom_window_active(window)[entry].first);
    } else {
        t = meet(window, a, a->last, slot, carom_window_active(window)[entry].last);
    }
    if (t < window->end) {
        note_meeting(window, own, slot);
    } else if (t < 1.0) {
        carom_window_note(window, own, slot, t);
    }
}

static void verify_surfaces(carom_window *window, const carom_active *a) {
    const path p = piece_of(window, a->slot, a->last);
    for (uint32_t s = 0; s < window->bodies->surfaces; s++) {
        const double t = carom_impacts_predict_surface(window->bodies, a->slot, p.piece, s);
        if (t < 1.0) {
            carom_window_note(window, a->slot, CAROM_IMPACTS_SURFACE + s, t);
        }
    }
}

/* A body that had no impact has no new piece, unless it had one before. */
static void verify_member(const verifier *v, uint32_t entry) {
    carom_window *window = v->window;
    const carom_active a = carom_window_active(window)[entry];
    const uint32_t from = v->again ? a.first : carom_window_path(window)[a.first].next;
    if (from == CAROM_IMPACTS_NONE) {
        return;
    }
    const carom_impacts_rows *rows = window->rows;
    for (uint64_t n = rows->start[a.slot]; n < rows->start[a.slot + 1] && !window->failed; n++) {
        verify_pair(v, &a, from, rows->neighbour[n]);
    }
    verify_surfaces(window, &a);
}

void carom_window_verify(carom_window *window, uint32_t root) {
    const verifier v = {window, root, carom_window_active(window)[root].again};
    uint32_t entry = root;
    do {
        const uint32_t next = carom_window_active(window)[entry].next;
        verify_member(&v, entry);
        entry = next;
    } while (entry != root && !window->failed);
}
