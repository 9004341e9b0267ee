/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the members of a group. Out: their paths until the window ends, and the impacts among them, in order.
 *
 * Each member keeps its first impact with a member of a higher number or with a surface, and a heap has the first of
 * all. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/window.h"

typedef struct member {
    carom_piece piece; /* where it is now */
    double t;          /* of its first impact */
    uint32_t k;        /* number of the other body or surface */
    uint32_t image;    /* of the other body */
    uint32_t partner;  /* index of the other member */
    uint32_t entry;
    uint32_t slot;
    uint32_t number;
    uint32_t place; /* in the heap */
    uint64_t begin; /* of what it may hit, in c->adjacent */
    uint64_t end;
} member;

typedef struct cluster {
    carom_window *window;
    carom_impacts_worker *own; /* the worker's lists */
    uint32_t worker;
    uint32_t root;
    uint32_t count;
    uint32_t heaped; /* members in the heap */
    member *m;
    const carom_adjacent *adjacent;
    uint32_t *heap; /* indices of members; the first impact first */
} cluster;

static bool comes_before(const member *a, const member *b) {
    return a->t < b->t || (a->t == b->t && a->number < b->number);
}

static void put(const cluster *c, uint32_t place, uint32_t n) {
    c->heap[place] = n;
    c->m[n].place = place;
}

/* Moves member n to its place in the heap after its first impact has changed. */
static void settle(const cluster *c, uint32_t n) {
    uint32_t place = c->m[n].place;
    while (place > 0 && comes_before(&c->m[n], &c->m[c->heap[(place - 1) / 2]])) {
        put(c, place, c->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    while (2 * place + 1 < c->heaped) {
        uint32_t child = 2 * place + 1;
        child += child + 1 < c->heaped && comes_before(&c->m[c->heap[child + 1]], &c->m[c->heap[child]]);
        if (!comes_before(&c->m[c->heap[child]], &c->m[n])) {
            break;
        }
        put(c, place, c->heap[child]);
        place = child;
    }
    put(c, place, n);
}

/* Lets member a's first impact be the one with (k, image, partner) at time t, if that comes before it. */
static void consider(member *a, double t, uint32_t k, uint32_t image, uint32_t partner) {
    if (t < a->t || (t == a->t && (k < a->k || (k == a->k && image < a->image)))) {
        a->t = t;
        a->k = k;
        a->image = image;
        a->partner = partner;
    }
}

/* Member b is one of a higher number. */
static void consider_member(const cluster *c, uint32_t a, uint32_t b, uint32_t image) {
    member *lower = &c->m[a];
    member *higher = &c->m[b];
    const double t =
        carom_impacts_predict(c->window->bodies, lower->slot, &lower->piece, higher->slot, &higher->piece, image);
    consider(lower, t, higher->number, image, b);
}

static void find_first(const cluster *c, uint32_t n) {
    member *a = &c->m[n];
    a->t = INFINITY;
    a->k = UINT32_MAX;
    for (uint64_t at = a->begin; at < a->end; at++) {
        const uint32_t other = c->adjacent[at].other;
        if (carom_impacts_is_surface(other)) {
            const uint32_t surface = other - CAROM_IMPACTS_SURFACE;
            consider(a, carom_impacts_predict_surface(c->window->bodies, a->slot, &a->piece, surface), other,
                     CAROM_IMAGE_SELF, CAROM_IMPACTS_NONE);
        } else if (a->number < c->m[other].number) {
            consider_member(c, n, other, c->adjacent[at].image);
        }
    }
}

/* Member n is on another piece. */
static void update(const cluster *c, uint32_t n) {
    const member *changed = &c->m[n];
    find_first(c, n);
    settle(c, n);
    for (uint64_t at = changed->begin; at < changed->end; at++) {
        const uint32_t other = c->adjacent[at].other;
        if (carom_impacts_is_surface(other) || c->m[other].number > changed->number) {
            continue;
        }
        if (c->m[other].k == changed->number) {
            find_first(c, other);
        } else {
            consider_member(c, other, n, carom_image_opposite(c->adjacent[at].image));
        }
        settle(c, other);
    }
}

/* A body that leaves its hull gets a wider one. What it was before is noted once in a simulation. */
static void note_escape(const cluster *c, const member *a) {
    const carom_window *window = c->window;
    carom_active *active = &carom_window_active(window)[a->entry];
    if (carom_hulls_hold(window->hulls, window->bodies, a->slot, &a->piece)) {
        return;
    }
    const carom_escape escape = {a->slot, carom_box_array_get(&window->hulls->boxes, a->slot)};
    if (active->escape == CAROM_IMPACTS_NONE) {
        active->escape = (uint32_t)c->own->escape.count;
        c->own->failed = c->own->failed || !carom_list_append(window->memory, &c->own->escape, &escape, sizeof escape);
    }
    carom_hulls_widen(window->hulls, window->bodies, a->slot, &a->piece);
}

/* Appends a piece to the paths; returns where it is. */
static uint32_t push_piece(const cluster *c, uint32_t slot, const carom_piece *piece) {
    const carom_window *window = c->window;
    const carom_path_piece entry = {*piece, carom_hulls_coarse(window->hulls, window->bodies, slot, piece),
                                    CAROM_IMPACTS_NONE};
    carom_list *path = &c->own->path;
    if (path->count >= CAROM_IMPACTS_NONE || !carom_list_append(c->window->memory, path, &entry, sizeof entry)) {
        c->own->failed = true;
        return CAROM_IMPACTS_NONE;
    }
    return (uint32_t)path->count - 1;
}

static void append_piece(const cluster *c, uint32_t n) {
    carom_active *active = &carom_window_active(c->window)[c->m[n].entry];
    const uint32_t at = push_piece(c, c->m[n].slot, &c->m[n].piece);
    if (at != CAROM_IMPACTS_NONE) {
        carom_window_path(c->window, c->worker)[active->last].next = at;
        active->last = at;
        c->window->hulls->coarse[c->m[n].slot].x[0] = NAN;
        note_escape(c, &c->m[n]);
    }
}

/* Lets the first of all impacts happen. */
static void respond(const cluster *c) {
    carom_impacts_bodies *bodies = c->window->bodies;
    const uint32_t n = c->heap[0];
    member *a = &c->m[n];
    const uint32_t partner = a->partner;
    const carom_response_side i = carom_impacts_side(bodies, a->slot, &a->piece);
    const bool i_moves = carom_response_moves(&bodies->rules, &i);
    carom_impacts_event event = {.t = a->t, .i = a->number, .k = a->k};
    carom_image_edges(partner == CAROM_IMPACTS_NONE ? CAROM_IMAGE_SELF : a->image, event.shift);
    bool k_moves = false;
    if (partner == CAROM_IMPACTS_NONE) {
        const carom_surface *surface = &bodies->surface[a->k - CAROM_IMPACTS_SURFACE];
        event.impact = carom_respond_surface(&bodies->rules, &i, surface, a->k, a->t);
    } else {
        const carom_response_side k = carom_impacts_side(bodies, c->m[partner].slot, &c->m[partner].piece);
        const carom_pair_image image = carom_image_of(bodies->periodic, a->image);
        k_moves = carom_response_moves(&bodies->rules, &k);
        event.impact = carom_respond_bodies(&bodies->rules, &i, &k, &image, a->t);
    }
    c->own->failed = c->own->failed || !carom_list_append(c->window->memory, &c->own->event, &event, sizeof event);
    if (k_moves) {
        append_piece(c, partner);
        update(c, partner);
    }
    if (i_moves) {
        append_piece(c, n);
    }
    update(c, n);
}

/* Room for a group's members and heap. */
static bool reserve(cluster *c, uint32_t members) {
    const uint64_t bytes = members * (sizeof(member) + sizeof(uint32_t));
    if (carom_buffer_reserve(c->window->memory, &c->own->cluster, bytes) != CAROM_OK) {
        c->own->failed = true;
        return false;
    }
    c->m = c->own->cluster.data;
    c->heap = (uint32_t *)(c->m + members);
    return true;
}

static uint32_t ring_length(const carom_window *window, uint32_t root) {
    const carom_active *active = carom_window_active(window);
    uint32_t count = 1;
    for (uint32_t entry = active[root].next; entry != root; entry = active[entry].next) {
        count++;
    }
    return count;
}

/* Makes the path of each member what it was when the window began: one piece. */
static void gather(const cluster *c) {
    const carom_window *window = c->window;
    uint32_t entry = c->root;
    for (uint32_t n = 0; n < c->count && !c->own->failed; n++) {
        carom_active *a = &carom_window_active(window)[entry];
        a->local = n;
        a->worker = c->worker;
        a->escape = CAROM_IMPACTS_NONE;
        window->hulls->coarse[a->slot] =
            carom_hulls_coarse(window->hulls, window->bodies, a->slot, &window->bodies->piece[a->slot]);
        a->first = a->last = push_piece(c, a->slot, &window->bodies->piece[a->slot]);
        c->m[n] = (member){.piece = window->bodies->piece[a->slot],
                           .t = INFINITY,
                           .entry = entry,
                           .slot = a->slot,
                           .number = window->bodies->number[a->slot]};
        entry = a->next;
    }
}

/* What a row has for a member: surfaces, and members of the group. */
static carom_adjacent adjacent_of(const cluster *c, const carom_row_walk *row) {
    const carom_active *active = carom_window_active(c->window);
    if (carom_impacts_is_surface(row->other)) {
        return (carom_adjacent){row->other, CAROM_IMAGE_SELF};
    }
    const uint32_t entry = c->window->active_of[row->other];
    const bool in_group = entry != CAROM_IMPACTS_NONE && active[entry].parent == c->root;
    return (carom_adjacent){in_group ? active[entry].local : CAROM_IMPACTS_NONE, row->image};
}

/* Lists what each member may hit. */
static void find_adjacent(cluster *c) {
    carom_list *list = &c->own->adjacent;
    list->count = 0;
    for (uint32_t n = 0; n < c->count; n++) {
        c->m[n].begin = list->count;
        carom_row_walk row = carom_row_begin(c->window->rows, c->m[n].slot);
        while (carom_row_next(c->window->rows, &row)) {
            const carom_adjacent adjacent = adjacent_of(c, &row);
            if (adjacent.other != CAROM_IMPACTS_NONE) {
                c->own->failed =
                    c->own->failed || !carom_list_append(c->window->memory, list, &adjacent, sizeof adjacent);
            }
        }
        c->m[n].end = list->count;
    }
    c->adjacent = list->buffer.data;
}

void carom_window_simulate(carom_window *window, uint32_t root, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    cluster c = {.window = window, .own = own, .worker = worker, .root = root, .count = ring_length(window, root)};
    own->largest = c.count > own->largest ? c.count : own->largest;
    if (!reserve(&c, c.count)) {
        return;
    }
    gather(&c);
    if (!own->failed) {
        find_adjacent(&c);
    }
    carom_active *group = &carom_window_active(window)[root];
    group->event = own->event.count;
    while (c.heaped < c.count && !own->failed) {
        const uint32_t n = c.heaped++;
        find_first(&c, n);
        put(&c, n, n);
        settle(&c, n);
    }
    while (!own->failed && c.m[c.heap[0]].t < window->end) {
        CAROM_ASSERT(c.m[c.heap[0]].t >= window->begin);
        respond(&c);
    }
    group->events = own->event.count - group->event;
}
