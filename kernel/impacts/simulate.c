/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the members of a group. Out: their paths until the window ends, and the impacts among them, in order.
 *
 * A fixed body is a member of every simulation near it, once for each member that may hit it. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/bystanders.h"
#include "kernel/impacts/firsts.h"
#include "kernel/impacts/lone_block.h"
#include "kernel/impacts/paths.h"
#include "kernel/impacts/pending.h"

static void append_piece(const carom_cluster *c, uint32_t n) {
    carom_active *active = carom_bystanders_active(c, n);
    if (n < c->all) {
        carom_paths_append(c->window, active, &c->m[n].piece);
    } else { /* another group may simulate it, too: whether it leaves its hull is seen when one has it */
        (void)carom_paths_put(c->window, active, &c->m[n].piece);
    }
    if (c->filtered && !c->own->failed) {
        c->coarse[n] = carom_window_path(c->window, c->worker)[active->last].coarse;
        c->coarse[n].group = 0;
    }
}

/* Whether the members that take part in an impact have new pieces then. */
typedef struct moved {
    bool own;
    bool partner;
} moved;

/* What the first impact of member n does to pieces. */
static carom_impact respond(const carom_cluster *c, uint32_t n) {
    carom_impacts_bodies *bodies = c->window->bodies;
    const carom_member *m = &c->m[n];
    const carom_response_side own = carom_bystanders_side(c, n);
    if (m->partner == CAROM_IMPACTS_NONE) {
        return carom_respond_surface(&bodies->rules, &own, &bodies->surface[m->k - CAROM_IMPACTS_SURFACE], m->k, m->t);
    }
    const carom_response_side partner = carom_bystanders_side(c, m->partner);
    const carom_pair_image image = carom_impacts_image(bodies, m->image);
    return m->i == m->number ? carom_respond_bodies(&bodies->rules, &own, &partner, &image, m->t)
                             : carom_respond_bodies(&bodies->rules, &partner, &own, &image, m->t);
}

static bool moves(const carom_cluster *c, uint32_t n) {
    const carom_response_side side = carom_bystanders_side(c, n);
    return carom_response_moves(&c->window->bodies->rules, &side);
}

/* Lets the first impact of member n happen. */
static moved collide(const carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    const moved now = {moves(c, n), m->partner != CAROM_IMPACTS_NONE && moves(c, m->partner)};
    carom_impacts_event event = {.t = m->t, .i = m->i, .k = m->k};
    carom_impacts_edges(c->window->bodies, m->image, event.shift);
    event.impact = respond(c, n);
    c->own->failed = c->own->failed || !carom_list_append(c->window->memory, &c->own->event, &event, sizeof event);
    if (now.partner) {
        append_piece(c, m->partner);
    }
    if (now.own) {
        append_piece(c, n);
    }
    return now;
}

/* Lets the first of all impacts happen, unless that is not what it was. */
static bool run_first(carom_cluster *c) {
    const uint32_t n = c->heap[0].member;
    const uint32_t partner = c->m[n].partner;
    if (carom_firsts_is_stale(c, n)) {
        carom_firsts_find(c, n);
        return false;
    }
    carom_bystanders_join(c, n);
    if (partner != CAROM_IMPACTS_NONE) {
        carom_bystanders_join(c, partner);
    }
    if (c->own->failed) {
        return false;
    }
    c->now = c->m[n].t;
    const moved now = collide(c, n);
    if (now.partner) {
        carom_firsts_change(c, partner);
    }
    if (now.own) {
        carom_firsts_change(c, n);
    } else {
        carom_firsts_find(c, n);
    }
    return true;
}

static bool has_new_piece(const carom_cluster *c, uint32_t n) {
    return carom_bystanders_active(c, n)->first != CAROM_IMPACTS_NONE;
}

/* What two members may do to each other in later windows. */
static void note_members(const carom_cluster *c, uint32_t n, uint32_t other, uint32_t image) {
    const carom_member *a = &c->m[n];
    const carom_member *b = &c->m[other];
    const bool is_new[2] = {has_new_piece(c, n), has_new_piece(c, other)};
    if (is_new[0] || is_new[1]) {
        carom_piece piece_a = a->piece;
        carom_piece piece_b = b->piece;
        const double t = carom_impacts_predict(c->window->bodies, a->slot, &piece_a, b->slot, &piece_b, image);
        const carom_pending pending = {{a->slot, b->slot, image}, {a->piece.count, b->piece.count}, t};
        carom_pending_note(c->window, c->own, &pending, is_new);
    }
}

/* Of two members of the group the one with the lower number notes their pair. A bystander that has joined notes its
 * pair with the giant. */
static void note_later_of(const carom_cluster *c, uint32_t n) {
    for (uint64_t at = c->m[n].begin; at < c->m[n].end; at++) {
        const uint32_t other = c->other[at];
        if (other < c->count && (n >= c->count || c->m[n].number < c->m[other].number)) {
            note_members(c, n, other, c->image[at]);
        }
    }
}

static void note_later(const carom_cluster *c) {
    if (!(c->window->end < c->window->hulls->until)) {
        return;
    }
    for (uint32_t n = 0; n < c->count; n++) {
        note_later_of(c, n);
    }
    const carom_joined *joined = c->own->path.joined.buffer.data;
    for (uint64_t n = c->bystanders.joined; n < c->own->path.joined.count; n++) {
        note_later_of(c, joined[n].active.local);
    }
}

static void simulate_cluster(carom_cluster *c) {
    carom_cluster_find_adjacent(c);
    carom_bystanders_list(c);
    carom_firsts_begin(c);
    for (uint64_t n = 0; !c->own->failed && !carom_cluster_stopped(c, n) && carom_firsts_next(c) < c->window->end;) {
        CAROM_ASSERT(c->heap[0].t >= c->window->begin);
        if (n >= c->window->impacts_most && c->heap[0].t > c->window->begin) {
            c->own->cut = fmin(c->own->cut, c->heap[0].t);
            return;
        }
        n += run_first(c) ? 1 : 0;
    }
    if (!c->own->failed && !carom_control_stopped(c->window->control)) {
        note_later(c);
        carom_bystanders_end(c);
    }
}

static void simulate_group(carom_window *window, uint32_t root, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    carom_cluster c = {.window = window,
                       .own = own,
                       .worker = worker,
                       .root = root,
                       .bystanders.joined = own->path.joined.count,
                       .now = window->begin,
                       .deferred = CAROM_IMPACTS_NONE};
    if (carom_cluster_gather(&c)) {
        simulate_cluster(&c);
        const uint32_t members = c.count + (uint32_t)(own->path.joined.count - c.bystanders.joined);
        own->largest = members > own->largest ? members : own->largest;
    }
}

void carom_window_simulate(carom_window *window, uint32_t root, carom_lone_block *block, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    carom_active *group = &carom_window_active(window)[root];
    const carom_lone_pair pair = carom_lone_pair_of(window, group);
    group->dirty = false;
    group->round = window->round;
    group->event = own->event.count;
    if (pair.image != CAROM_IMPACTS_NONE) {
        group->events = 0;
        carom_lone_block_simulate(block, &pair);
    } else {
        simulate_group(window, root, worker);
        group->events = (uint32_t)(own->event.count - group->event);
    }
}
