/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the paths of a group. Out: the bodies of other groups that they meet. */
#include <math.h>

#include "kernel/impacts/window.h"

/* Two bodies that are neighbours: a member of the group at hand, and another. */
typedef struct couple {
    const carom_window *window;
    uint32_t a;
    uint32_t b;
    carom_pair_image image; /* of b, from a */
} couple;

/* A piece that lasts until a time. */
typedef struct lasting {
    carom_piece *piece;
    const carom_coarse_path *coarse;
    double end;
} lasting;

/* It ends at the next one of the worker's, or with the window. */
static lasting lasting_of(const carom_window *window, carom_path_piece *path, uint32_t n) {
    const uint32_t next = path[n].next;
    return (lasting){&path[n].piece, &path[n].coarse,
                     next == CAROM_IMPACTS_NONE ? window->end : path[next].piece.start};
}

/* Two pieces meet if they collide while both last, or in the moment in which one ends: then the order of impacts
 * decides, which is not known here. */
static void hold_pieces(const couple *c, const lasting *a, const lasting *b, double *first) {
    const double begin = a->piece->start > b->piece->start ? a->piece->start : b->piece->start;
    const double end = a->end < b->end ? a->end : b->end;
    if (begin <= end && carom_hulls_may_meet(c->window->hulls, a->coarse, b->coarse, &c->image, begin, end)) {
        const double t = carom_impacts_predict(c->window->bodies, c->a, a->piece, c->b, b->piece, c->image.code);
        *first = t <= end && t < *first ? t : *first;
    }
}

/* The first time at which a piece meets path b. It is held against all pieces that last at some moment when it does:
 * several may begin and end in one moment. */
static double meet(const couple *c, const lasting *p, const carom_active *b) {
    const carom_window *window = c->window;
    carom_path_piece *path = carom_window_path(window, b->worker);
    double t = INFINITY;
    for (uint32_t n = b->first; n != CAROM_IMPACTS_NONE && path[n].piece.start <= p->end; n = path[n].next) {
        const lasting q = lasting_of(window, path, n);
        if (q.end >= p->piece->start) {
            hold_pieces(c, p, &q, &t);
        }
    }
    return t;
}

/* The piece from which on a member's path is held against others: a body that had no impact has no new piece, unless it
 * had one before. Then whole paths are held, for first pieces may last longer than they did. */
static uint32_t held_from(const carom_window *window, const carom_active *a) {
    return carom_window_active(window)[a->parent].again ? a->first
                                                        : carom_window_path(window, a->worker)[a->first].next;
}

/* Members of a group have been simulated together. */
static double meet_other(const couple *c, const carom_active *a, const lasting *p) {
    const carom_window *window = c->window;
    const uint32_t entry = window->active_of[c->b];
    double t = INFINITY;
    if (entry == CAROM_IMPACTS_NONE) {
        const lasting q = {&window->bodies->piece[c->b], &window->hulls->coarse[c->b], window->end};
        hold_pieces(c, p, &q, &t);
        return t;
    }
    const carom_active *b = &carom_window_active(window)[entry];
    if (b->parent != a->parent) {
        t = meet(c, p, b);
    }
    return t;
}

static void hold_other(const carom_window *window, const carom_active *a, const lasting *p, uint32_t slot,
                       uint32_t image, carom_impacts_worker *own) {
    const couple c = {window, a->slot, slot, carom_image_of(window->bodies->periodic, image)};
    if (meet_other(&c, a, p) < window->end) {
        const carom_contact_pair pair = {a->slot, slot, image};
        own->failed = own->failed || !carom_list_append(window->memory, &own->meeting, &pair, sizeof pair);
    }
}

/* Open space: the kernel tests the row, but for extras. Returns where the rest of the row begins. */
static carom_row_walk hold_row(const carom_window *window, const carom_active *a, const lasting *p,
                               carom_impacts_worker *own) {
    const carom_impacts_rows *rows = window->rows;
    carom_row_walk row = carom_row_begin(rows, a->slot);
    while (row.at < row.end && carom_impacts_is_surface(rows->other[row.at])) {
        row.at++;
    }
    const uint32_t count = (uint32_t)(row.end - row.at);
    if (carom_buffer_reserve(window->memory, &own->near, (count + CAROM_SIMD_PAD) * sizeof(uint32_t)) != CAROM_OK) {
        own->failed = true;
        return row;
    }
    uint32_t *near = own->near.data;
    const carom_coarse_time time = carom_hulls_time(window->hulls, p->piece->start, p->end);
    const uint32_t kept =
        window->simd->near_row(window->hulls->coarse, p->coarse, rows->other + row.at, count, time, near);
    for (uint32_t n = 0; n < kept; n++) {
        hold_other(window, a, p, near[n], CAROM_IMAGE_SELF, own);
    }
    row.at = row.end;
    return row;
}

/* Holds a piece against all neighbours. */
static void hold_piece(const carom_window *window, const carom_active *a, const lasting *p, carom_impacts_worker *own) {
    carom_row_walk row =
        window->bodies->periodic == NULL ? hold_row(window, a, p, own) : carom_row_begin(window->rows, a->slot);
    while (carom_row_next(window->rows, &row)) {
        if (!carom_impacts_is_surface(row.other)) {
            hold_other(window, a, p, row.other, row.image, own);
        }
    }
}

static void verify_member(const carom_window *window, uint32_t entry, carom_impacts_worker *own) {
    const carom_active *a = &carom_window_active(window)[entry];
    carom_path_piece *path = carom_window_path(window, a->worker);
    for (uint32_t n = held_from(window, a); n != CAROM_IMPACTS_NONE && !own->failed; n = path[n].next) {
        const lasting p = lasting_of(window, path, n);
        hold_piece(window, a, &p, own);
    }
}

void carom_window_verify(carom_window *window, uint32_t root, uint32_t worker) {
    uint32_t entry = root;
    do {
        verify_member(window, entry, &window->worker[worker]);
        entry = carom_window_active(window)[entry].next;
    } while (entry != root);
}
