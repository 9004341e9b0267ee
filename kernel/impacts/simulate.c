/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the members of a group. Out: their paths until the window ends, and the impacts among them, in order.
 *
 * Each member keeps the first impact of its pairs, and a heap has the first of all. A fixed body is a member of every
 * simulation near it, once for each member that may hit it. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/cluster.h"
#include "kernel/impacts/lone_block.h"
#include "kernel/impacts/paths.h"
#include "kernel/impacts/pending.h"

/* Images of one pair are in the order of their shifts. */
static bool precedes_image(const carom_cluster *c, uint32_t a, uint32_t b) {
    const carom_lattice *lattice = c->window->bodies->lattice;
    return lattice == NULL || a == b ? a < b : carom_shift_precedes(lattice, a, b);
}

/* Whether an impact at (t, i, k, image) comes before the member's first one. */
static bool precedes(const carom_cluster *c, double t, uint32_t i, uint32_t k, uint32_t image, const carom_member *m) {
    if (t != m->t) {
        return t < m->t;
    }
    return i != m->i ? i < m->i : (k != m->k ? k < m->k : precedes_image(c, image, m->image));
}

/* A fixed body may be there more than once. */
static bool comes_before(const carom_cluster *c, const carom_member *a, const carom_member *b) {
    return precedes(c, a->t, a->i, a->k, a->image, b);
}

static void put(const carom_cluster *c, uint32_t place, uint32_t n) {
    c->heap[place] = n;
    c->m[n].place = place;
}

/* Moves member n to its place in the heap after its first impact has changed. */
static void settle(const carom_cluster *c, uint32_t n) {
    uint32_t place = c->m[n].place;
    while (place > 0 && comes_before(c, &c->m[n], &c->m[c->heap[(place - 1) / 2]])) {
        put(c, place, c->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    while (2 * place + 1 < c->heaped) {
        uint32_t child = 2 * place + 1;
        child += child + 1 < c->heaped && comes_before(c, &c->m[c->heap[child + 1]], &c->m[c->heap[child]]);
        if (!comes_before(c, &c->m[c->heap[child]], &c->m[n])) {
            break;
        }
        put(c, place, c->heap[child]);
        place = child;
    }
    put(c, place, n);
}

/* A pair of member `owner` and another. */
typedef struct owned_pair {
    uint32_t owner;
    uint32_t partner;
    carom_member *lower;
    carom_member *higher;
    uint32_t image; /* of the higher body */
} owned_pair;

/* `image`: of the partner. */
static owned_pair pair_of(const carom_cluster *c, uint32_t owner, uint32_t partner, uint32_t image) {
    carom_member *o = &c->m[owner];
    carom_member *p = &c->m[partner];
    return o->number < p->number ? (owned_pair){owner, partner, o, p, image}
                                 : (owned_pair){owner, partner, p, o, carom_image_opposite(image)};
}

/* Lets the pair's impact be its owner's first one, if it comes before that. No impact comes before now. */
static bool consider(const carom_cluster *c, const owned_pair *pair) {
    carom_member *o = &c->m[pair->owner];
    const carom_member *lower = pair->lower;
    const carom_member *higher = pair->higher;
    if (o->t <= c->now && !precedes(c, o->t, lower->number, higher->number, pair->image, o)) {
        return false;
    }
    const double t = carom_impacts_predict(c->window->bodies, lower->slot, &pair->lower->piece, higher->slot,
                                           &pair->higher->piece, pair->image);
    if (!precedes(c, t, lower->number, higher->number, pair->image, o)) {
        return false;
    }
    o->t = t;
    o->i = lower->number;
    o->k = higher->number;
    o->image = pair->image;
    o->partner = pair->partner;
    o->count = c->m[pair->partner].piece.count;
    return true;
}

static void consider_surface(const carom_cluster *c, carom_member *m, uint32_t other) {
    const double t =
        carom_impacts_predict_surface(c->window->bodies, m->slot, &m->piece, other - CAROM_IMPACTS_SURFACE);
    if (precedes(c, t, m->number, other, CAROM_IMAGE_SELF, m)) {
        m->t = t;
        m->i = m->number;
        m->k = other;
        m->image = CAROM_IMAGE_SELF;
        m->partner = CAROM_IMPACTS_NONE;
    }
}

/* Finds the first impact of a member's own pairs. */
static void find_first(const carom_cluster *c, uint32_t n) {
    carom_member *m = &c->m[n];
    m->t = INFINITY;
    m->i = m->k = UINT32_MAX;
    m->partner = CAROM_IMPACTS_NONE;
    for (uint64_t at = m->begin; at < m->others; at++) {
        if (carom_impacts_is_surface(c->other[at])) {
            consider_surface(c, m, c->other[at]);
        } else {
            const owned_pair pair = pair_of(c, n, c->other[at], c->image[at]);
            consider(c, &pair);
        }
    }
}

/* Whether the partner has changed since the member's first impact was predicted. */
static bool is_stale(const carom_cluster *c, const carom_member *m) {
    return m->partner != CAROM_IMPACTS_NONE && c->m[m->partner].piece.count != m->count;
}

/* Whether member o's first impact is with member n as that was before. */
static bool was_with(const carom_cluster *c, uint32_t o, uint32_t n) {
    return c->m[o].partner == n && c->m[o].count != c->m[n].piece.count;
}

/* Member n has changed, and the pair with it belongs to member o. If that was o's first impact, at this very moment, it
 * may still happen now: o finds out when its turn comes. But another image of n may come before it. Of many images the
 * first one finds o's first impact anew, with n as it is now; the others then come no earlier. */
static void reconsider(const carom_cluster *c, uint32_t o, uint32_t n, uint32_t image) {
    if (!was_with(c, o, n) || c->m[o].t <= c->now) {
        const owned_pair pair = pair_of(c, o, n, image);
        if (consider(c, &pair)) {
            settle(c, o);
        }
    } else {
        find_first(c, o);
        settle(c, o);
    }
}

/* Reconsiders those pairs with member n that the kernel does not rule out until the window ends: the others' impacts,
 * if predicted before, are too early, which does no harm. */
static void reconsider_near(const carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    const uint32_t count = (uint32_t)(m->rest - m->others);
    const uint64_t room = (uint64_t)count + CAROM_SIMD_PAD;
    if (carom_buffer_reserve(c->window->memory, &c->own->near, 2 * room * sizeof(uint32_t)) != CAROM_OK) {
        c->own->failed = true;
        return;
    }
    uint32_t *near = c->own->near.data;
    carom_coarse_path own = c->coarse[n];
    own.group = 1;
    const carom_coarse_time time = carom_hulls_time(c->window->hulls, c->now, c->window->end);
    const carom_near_counts kept =
        c->window->simd->near_row(c->coarse, &own, c->other + m->others, count, time, near, near + room);
    for (uint32_t at = 0; at < kept.near; at++) {
        reconsider(c, near[at], n, CAROM_IMAGE_SELF);
    }
}

/* Member n is on another piece. */
static void update(const carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    find_first(c, n);
    settle(c, n);
    if (m->rest > m->others) {
        reconsider_near(c, n);
    }
    for (uint64_t at = m->rest; at < m->end; at++) {
        reconsider(c, c->other[at], n, carom_image_opposite(c->image[at]));
    }
}

static void append_piece(const carom_cluster *c, uint32_t n) {
    carom_active *active = &carom_window_active(c->window)[c->m[n].entry];
    carom_paths_append(c->window, active, &c->m[n].piece);
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

static carom_response_side side_of(const carom_cluster *c, uint32_t n) {
    return carom_impacts_side(c->window->bodies, c->m[n].slot, &c->m[n].piece);
}

/* What the first impact of member n does to pieces. */
static carom_impact respond(const carom_cluster *c, uint32_t n) {
    carom_impacts_bodies *bodies = c->window->bodies;
    const carom_member *m = &c->m[n];
    const carom_response_side own = side_of(c, n);
    if (m->partner == CAROM_IMPACTS_NONE) {
        return carom_respond_surface(&bodies->rules, &own, &bodies->surface[m->k - CAROM_IMPACTS_SURFACE], m->k, m->t);
    }
    const carom_response_side partner = side_of(c, m->partner);
    const carom_pair_image image = carom_impacts_image(bodies, m->image);
    return m->i == m->number ? carom_respond_bodies(&bodies->rules, &own, &partner, &image, m->t)
                             : carom_respond_bodies(&bodies->rules, &partner, &own, &image, m->t);
}

static bool moves(const carom_cluster *c, uint32_t n) {
    const carom_response_side side = side_of(c, n);
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
    const uint32_t n = c->heap[0];
    const uint32_t partner = c->m[n].partner;
    if (is_stale(c, &c->m[n])) {
        find_first(c, n);
        settle(c, n);
        return false;
    }
    c->now = c->m[n].t;
    const moved now = collide(c, n);
    if (now.partner) {
        update(c, partner);
    }
    if (now.own) {
        update(c, n);
    } else {
        find_first(c, n);
        settle(c, n);
    }
    return true;
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
            const uint32_t other = c->other[at];
            if (other < c->count && a->number < c->m[other].number) {
                note_members(c, a, &c->m[other], c->image[at]);
            }
        }
    }
}

static void simulate_cluster(carom_cluster *c) {
    carom_cluster_find_adjacent(c);
    while (c->heaped < c->all && !c->own->failed && !carom_cluster_stopped(c, c->heaped)) {
        const uint32_t n = c->heaped++;
        find_first(c, n);
        put(c, n, n);
        settle(c, n);
    }
    for (uint64_t n = 0; !c->own->failed && !carom_cluster_stopped(c, n) && c->m[c->heap[0]].t < c->window->end;) {
        CAROM_ASSERT(c->m[c->heap[0]].t >= c->window->begin);
        if (n >= c->window->impacts_most && c->m[c->heap[0]].t > c->window->begin) {
            c->own->cut = fmin(c->own->cut, c->m[c->heap[0]].t);
            return;
        }
        n += run_first(c) ? 1 : 0;
    }
    if (!c->own->failed && !carom_control_stopped(c->window->control)) {
        note_later(c);
    }
}

static void simulate_group(carom_window *window, uint32_t root, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    carom_cluster c = {.window = window, .own = own, .worker = worker, .root = root, .now = window->begin};
    if (carom_cluster_gather(&c)) {
        own->largest = c.count > own->largest ? c.count : own->largest;
        simulate_cluster(&c);
    }
}

void carom_window_simulate(carom_window *window, uint32_t root, carom_lone_block *block, uint32_t worker) {
    carom_impacts_worker *own = &window->worker[worker];
    carom_active *group = &carom_window_active(window)[root];
    const carom_lone_pair pair = carom_lone_pair_of(window, group);
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
