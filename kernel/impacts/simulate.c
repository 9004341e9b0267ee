/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the members of a group. Out: their paths until the window ends, and the impacts among them, in order.
 *
 * Each member keeps its first impact with a member of a higher number or with a surface, and a heap has the first of
 * all. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/window.h"

/* Groups up to this size look at all members rather than at rows. */
enum { SMALL = 12 };

typedef struct member {
    carom_piece piece; /* where it is now */
    double t;          /* of its first impact */
    uint32_t k;        /* number of the other body or surface */
    uint32_t partner;  /* index of the other member */
    uint32_t entry;
    uint32_t slot;
    uint32_t number;
    uint32_t place; /* in the heap */
} member;

typedef struct cluster {
    carom_window *window;
    uint32_t root;
    uint32_t count;
    uint32_t heaped; /* members in the heap */
    member *m;
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

/* Lets member a's first impact be the one with (k, partner) at time t, if that comes before it. */
static void consider(member *a, double t, uint32_t k, uint32_t partner) {
    if (t < a->t || (t == a->t && k < a->k)) {
        a->t = t;
        a->k = k;
        a->partner = partner;
    }
}

static void consider_member(const cluster *c, uint32_t a, uint32_t b) {
    member *lower = &c->m[a];
    member *higher = &c->m[b];
    const double t = carom_impacts_predict(c->window->bodies, lower->slot, &lower->piece, higher->slot, &higher->piece);
    consider(lower, t, higher->number, b);
}

/* The members that member n may collide with: walk from n = 0 while this returns true. */
typedef struct neighbours {
    uint64_t at;
    uint64_t end;
    uint32_t member;
} neighbours;

static neighbours neighbours_of(const cluster *c, uint32_t n) {
    if (c->count <= SMALL) {
        return (neighbours){0, c->count, 0};
    }
    const uint64_t *start = c->window->rows->start;
    return (neighbours){start[c->m[n].slot], start[c->m[n].slot + 1], 0};
}

static bool next_neighbour(const cluster *c, uint32_t n, neighbours *walk) {
    const carom_window *window = c->window;
    while (walk->at < walk->end) {
        const uint64_t at = walk->at++;
        if (c->count <= SMALL) {
            walk->member = (uint32_t)at;
            if (at != n) {
                return true;
            }
            continue;
        }
        const uint32_t entry = window->active_of[window->rows->neighbour[at]];
        if (entry != CAROM_IMPACTS_NONE && carom_window_root(window, entry) == c->root) {
            walk->member = carom_window_active(window)[entry].local;
            return true;
        }
    }
    return false;
}

static void find_first(const cluster *c, uint32_t n) {
    member *a = &c->m[n];
    a->t = INFINITY;
    a->k = UINT32_MAX;
    neighbours walk = neighbours_of(c, n);
    while (next_neighbour(c, n, &walk)) {
        if (a->number < c->m[walk.member].number) {
            consider_member(c, n, walk.member);
        }
    }
    for (uint32_t s = 0; s < c->window->bodies->surfaces; s++) {
        consider(a, carom_impacts_predict_surface(c->window->bodies, a->slot, &a->piece, s), CAROM_IMPACTS_SURFACE + s,
                 CAROM_IMPACTS_NONE);
    }
}

/* Member n is on another piece. */
static void update(const cluster *c, uint32_t n) {
    find_first(c, n);
    settle(c, n);
    neighbours walk = neighbours_of(c, n);
    while (next_neighbour(c, n, &walk)) {
        member *b = &c->m[walk.member];
        if (b->number > c->m[n].number) {
            continue;
        }
        if (b->k == c->m[n].number) {
            find_first(c, walk.member);
        } else {
            consider_member(c, walk.member, n);
        }
        settle(c, walk.member);
    }
}

static void note_escape(carom_window *window, const member *a) {
    if (carom_hulls_hold(window->hulls, window->bodies, a->slot, &a->piece)) {
        return;
    }
    carom_hulls_widen(window->hulls, window->bodies, a->slot, &a->piece);
    if (!carom_list_reserve(window->memory, &window->escaped, 1, sizeof(uint32_t))) {
        window->failed = true;
        return;
    }
    ((uint32_t *)window->escaped.buffer.data)[window->escaped.count++] = a->slot;
}

static void note_event(carom_window *window, const carom_impacts_event *event) {
    if (!carom_list_reserve(window->memory, &window->event, 1, sizeof *event)) {
        window->failed = true;
        return;
    }
    ((carom_impacts_event *)window->event.buffer.data)[window->event.count++] = *event;
}

static void append_piece(const cluster *c, uint32_t n) {
    carom_window_append(c->window, c->m[n].entry, &c->m[n].piece);
    note_escape(c->window, &c->m[n]);
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
    bool k_moves = false;
    if (partner == CAROM_IMPACTS_NONE) {
        const carom_surface *surface = &bodies->surface[a->k - CAROM_IMPACTS_SURFACE];
        event.impact = carom_respond_surface(&bodies->rules, &i, surface, a->k, a->t);
    } else {
        const carom_response_side k = carom_impacts_side(bodies, c->m[partner].slot, &c->m[partner].piece);
        k_moves = carom_response_moves(&bodies->rules, &k);
        event.impact = carom_respond_bodies(&bodies->rules, &i, &k, CAROM_IMPACTS_NO_SHIFT, a->t);
    }
    note_event(c->window, &event);
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
    carom_window *window = c->window;
    if (!carom_list_reserve(window->memory, &window->cluster, members, sizeof(member) + sizeof(uint32_t))) {
        window->failed = true;
        return false;
    }
    c->m = window->cluster.buffer.data;
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

static void gather(cluster *c) {
    carom_window *window = c->window;
    uint32_t entry = c->root;
    for (uint32_t n = 0; n < c->count && !window->failed; n++) {
        carom_window_restart(window, entry);
        carom_active *a = &carom_window_active(window)[entry];
        a->local = n;
        c->m[n] = (member){.piece = window->bodies->piece[a->slot],
                           .t = INFINITY,
                           .entry = entry,
                           .slot = a->slot,
                           .number = window->bodies->number[a->slot]};
        entry = a->next;
    }
}

void carom_window_simulate(carom_window *window, uint32_t root) {
    cluster c = {.window = window, .root = root, .count = ring_length(window, root)};
    if (!reserve(&c, c.count)) {
        return;
    }
    gather(&c);
    const uint64_t event = window->event.count;
    while (c.heaped < c.count && !window->failed) {
        const uint32_t n = c.heaped++;
        find_first(&c, n);
        put(&c, n, n);
        settle(&c, n);
    }
    while (!window->failed && c.m[c.heap[0]].t < window->end) {
        CAROM_ASSERT(c.m[c.heap[0]].t >= window->begin);
        respond(&c);
    }
    carom_active *group = &carom_window_active(window)[root];
    group->event = event;
    group->events = window->event.count - event;
    group->dirty = false;
}
