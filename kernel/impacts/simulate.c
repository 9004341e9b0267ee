/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the members of a group. Out: their paths until the window ends, and the impacts among them, in order.
 *
 * Each member keeps its first impact with a member of a higher number or with a surface, and a heap has the first of
 * all. A fixed body is a member of every simulation near it, once for each member that may hit it. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/cluster.h"
#include "kernel/impacts/pending.h"

/* Impacts between looks at the host's flag. */
enum { LOOK = 1024 };

/* A fixed body may be there more than once. */
static bool comes_before(const carom_member *a, const carom_member *b) {
    if (a->t != b->t || a->number != b->number) {
        return a->t < b->t || (a->t == b->t && a->number < b->number);
    }
    return a->k < b->k || (a->k == b->k && a->image < b->image);
}

static void put(const carom_cluster *c, uint32_t place, uint32_t n) {
    c->heap[place] = n;
    c->m[n].place = place;
}

/* Moves member n to its place in the heap after its first impact has changed. */
static void settle(const carom_cluster *c, uint32_t n) {
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
static void consider(carom_member *a, double t, uint32_t k, uint32_t image, uint32_t partner) {
    if (t < a->t || (t == a->t && (k < a->k || (k == a->k && image < a->image)))) {
        a->t = t;
        a->k = k;
        a->image = image;
        a->partner = partner;
    }
}

/* Member b is one of a higher number. */
static void consider_member(const carom_cluster *c, uint32_t a, uint32_t b, uint32_t image) {
    carom_member *lower = &c->m[a];
    carom_member *higher = &c->m[b];
    const double t =
        carom_impacts_predict(c->window->bodies, lower->slot, &lower->piece, higher->slot, &higher->piece, image);
    consider(lower, t, higher->number, image, b);
}

static void find_first(const carom_cluster *c, uint32_t n) {
    carom_member *a = &c->m[n];
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
static void update(const carom_cluster *c, uint32_t n) {
    const carom_member *changed = &c->m[n];
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
static void note_escape(const carom_cluster *c, const carom_member *a) {
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
static uint32_t push_piece(const carom_cluster *c, uint32_t slot, const carom_piece *piece) {
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

static void append_piece(const carom_cluster *c, uint32_t n) {
    carom_active *active = &carom_window_active(c->window)[c->m[n].entry];
    const uint32_t at = push_piece(c, c->m[n].slot, &c->m[n].piece);
    if (at == CAROM_IMPACTS_NONE) {
        return;
    }
    if (active->last == CAROM_IMPACTS_NONE) {
        active->first = at;
    } else {
        carom_window_path(c->window, c->worker)[active->last].next = at;
    }
    active->last = at;
    note_escape(c, &c->m[n]);
}

/* Which of the two that take part in an impact have new pieces then. */
typedef struct moved {
    bool i;
    bool k;
} moved;

/* Lets the first impact of member n happen. */
static moved collide(const carom_cluster *c, uint32_t n) {
    carom_impacts_bodies *bodies = c->window->bodies;
    carom_member *a = &c->m[n];
    const uint32_t partner = a->partner;
    const carom_response_side i = carom_impacts_side(bodies, a->slot, &a->piece);
    moved moves = {carom_response_moves(&bodies->rules, &i), false};
    carom_impacts_event event = {.t = a->t, .i = a->number, .k = a->k};
    carom_image_edges(partner == CAROM_IMPACTS_NONE ? CAROM_IMAGE_SELF : a->image, event.shift);
    if (partner == CAROM_IMPACTS_NONE) {
        const carom_surface *surface = &bodies->surface[a->k - CAROM_IMPACTS_SURFACE];
        event.impact = carom_respond_surface(&bodies->rules, &i, surface, a->k, a->t);
    } else {
        const carom_response_side k = carom_impacts_side(bodies, c->m[partner].slot, &c->m[partner].piece);
        const carom_pair_image image = carom_image_of(bodies->periodic, a->image);
        moves.k = carom_response_moves(&bodies->rules, &k);
        event.impact = carom_respond_bodies(&bodies->rules, &i, &k, &image, a->t);
    }
    c->own->failed = c->own->failed || !carom_list_append(c->window->memory, &c->own->event, &event, sizeof event);
    if (moves.k) {
        append_piece(c, partner);
    }
    if (moves.i) {
        append_piece(c, n);
    }
    return moves;
}

/* Lets the first of all impacts happen. */
static void respond(const carom_cluster *c) {
    const uint32_t n = c->heap[0];
    const uint32_t partner = c->m[n].partner;
    if (collide(c, n).k) {
        update(c, partner);
    }
    update(c, n);
}

/* Whether no impact of the group's two members but one of the one with the other can happen: neither is near a surface
 * or a fixed body, and an impact with an image would be known by the rows only. */
static bool is_lone_pair(const carom_cluster *c) {
    const carom_impacts_rows *rows = c->window->rows;
    if (c->count != 2 || c->window->bodies->periodic != NULL || !c->window->bodies->all_movable) {
        return false;
    }
    bool lone = true;
    for (uint32_t n = 0; n < 2; n++) {
        const uint32_t slot = c->m[n].slot;
        const uint64_t at = rows->start[slot];
        const bool surface = at < rows->start[slot + 1] && carom_impacts_is_surface(rows->other[at]);
        lone = lone && !surface && (rows->extra == NULL || rows->extra[slot] == CAROM_IMPACTS_NONE);
    }
    return lone;
}

/* Two that have hit each other do not meet again. */
static void simulate_pair(const carom_cluster *c) {
    const uint32_t lower = c->m[0].number < c->m[1].number ? 0 : 1;
    consider_member(c, lower, 1 - lower, CAROM_IMAGE_SELF);
    if (c->m[lower].t < c->window->end) {
        (void)collide(c, lower);
    }
}

static bool has_new_piece(const carom_cluster *c, const carom_member *m) {
    return carom_window_active(c->window)[m->entry].first != CAROM_IMPACTS_NONE;
}

/* What two members may do to each other in later windows. */
static void note_members(const carom_cluster *c, const carom_member *a, const carom_member *b, uint32_t image) {
    const bool is_new[2] = {has_new_piece(c, a), has_new_piece(c, b)};
    if (is_new[0] || is_new[1]) {
        carom_piece piece_a = a->piece;
        carom_piece piece_b = b->piece;
        const double t = carom_impacts_predict(c->window->bodies, a->slot, &piece_a, b->slot, &piece_b, image);
        const carom_pending pending = {{a->slot, b->slot, image}, {a->piece.count, b->piece.count}, t};
        carom_pending_note(c->window, c->own, &pending, is_new);
    }
}

static void note_later(const carom_cluster *c) {
    for (uint32_t n = 0; n < c->count && c->window->end < c->window->hulls->frame.end; n++) {
        const carom_member *a = &c->m[n];
        for (uint64_t at = a->begin; at < a->end; at++) {
            const carom_adjacent *adjacent = &c->adjacent[at];
            if (adjacent->other < c->count && a->number < c->m[adjacent->other].number) {
                note_members(c, a, &c->m[adjacent->other], adjacent->image);
            }
        }
    }
}

/* Looks at the host's flag from time to time: a group may be as large as the world. What the group has is not used once
 * the call is to stop. */
static bool is_stopped(const carom_cluster *c, uint64_t impacts) {
    carom_control *control = c->window->control;
    return control != NULL &&
           (impacts % LOOK == LOOK - 1 ? carom_control_look(control) : carom_control_stopped(control));
}

static void simulate_cluster(carom_cluster *c) {
    carom_cluster_find_adjacent(c);
    while (c->heaped < c->all && !c->own->failed) {
        const uint32_t n = c->heaped++;
        find_first(c, n);
        put(c, n, n);
        settle(c, n);
    }
    for (uint64_t n = 0; !c->own->failed && c->m[c->heap[0]].t < c->window->end && !is_stopped(c, n); n++) {
        CAROM_ASSERT(c->m[c->heap[0]].t >= c->window->begin);
        if (n >= c->window->impacts_most && c->m[c->heap[0]].t > c->window->begin) {
            c->own->cut = fmin(c->own->cut, c->m[c->heap[0]].t);
            return;
        }
        respond(c);
    }
    if (!c->own->failed) {
        note_later(c);
    }
}

void carom_window_simulate(carom_window *window, uint32_t root, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    carom_cluster c = {.window = window, .own = own, .worker = worker, .root = root};
    if (!carom_cluster_gather(&c)) {
        return;
    }
    own->largest = c.count > own->largest ? c.count : own->largest;
    carom_active *group = &carom_window_active(window)[root];
    group->round = window->round;
    group->event = own->event.count;
    if (is_lone_pair(&c)) {
        simulate_pair(&c);
    } else {
        simulate_cluster(&c);
    }
    group->events = (uint32_t)(own->event.count - group->event);
}
