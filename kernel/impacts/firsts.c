/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: members of a group, one of which has changed. Out: the first impact of all.
 *
 * Each member keeps the first impact of its own pairs, and a heap has the first of all. What a giant among dust changes
 * are pairs of many others. It often changes again and again in one moment: dust within it, which had left it, is met
 * anew, body by body. So in the moment its change is deferred: only the first pair with it that collides at once is
 * looked for, which becomes the first impact of its owner. Others are reconsidered when time goes on. */
#include "kernel/impacts/firsts.h"

#include <math.h>

#include "kernel/impacts/bystanders.h"
#include "kernel/impacts/instant.h"

/* Pairs of others from which on a change is deferred. */
enum { DEFERRED_LEAST = 16 };

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
static bool comes_before(const carom_cluster *c, const carom_heap_entry *a, const carom_heap_entry *b) {
    if (a->t != b->t) {
        return a->t < b->t;
    }
    if (a->i != b->i || a->k != b->k) {
        return a->i != b->i ? a->i < b->i : a->k < b->k;
    }
    return precedes_image(c, c->m[a->member].image, c->m[b->member].image);
}

static void put(const carom_cluster *c, uint32_t place, const carom_heap_entry *heaped) {
    c->heap[place] = *heaped;
    c->place[heaped->member] = place;
}

/* Moves member n to its place in the heap after its first impact has changed. */
static void settle(const carom_cluster *c, uint32_t n) {
    const carom_heap_entry own = {c->m[n].t, c->m[n].i, c->m[n].k, n};
    uint32_t place = c->place[n];
    while (place > 0 && comes_before(c, &own, &c->heap[(place - 1) / 2])) {
        put(c, place, &c->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    while (2 * place + 1 < c->heaped) {
        uint32_t child = 2 * place + 1;
        child += child + 1 < c->heaped && comes_before(c, &c->heap[child + 1], &c->heap[child]);
        if (!comes_before(c, &c->heap[child], &own)) {
            break;
        }
        put(c, place, &c->heap[child]);
        place = child;
    }
    put(c, place, &own);
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

static double predict(const carom_cluster *c, const owned_pair *pair) {
    return carom_impacts_predict(c->window->bodies, pair->lower->slot, &pair->lower->piece, pair->higher->slot,
                                 &pair->higher->piece, pair->image);
}

/* Lets the pair's impact be its owner's first one, if it comes before that. No impact comes before now. */
static bool consider(const carom_cluster *c, const owned_pair *pair) {
    carom_member *o = &c->m[pair->owner];
    const carom_member *lower = pair->lower;
    const carom_member *higher = pair->higher;
    if (o->t <= c->now && !precedes(c, o->t, lower->number, higher->number, pair->image, o)) {
        return false;
    }
    const double t = predict(c, pair);
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

/* Whether member o's first impact is with member n as that was before. */
static bool was_with(const carom_cluster *c, uint32_t o, uint32_t n) {
    return c->m[o].partner == n && c->m[o].count != c->m[n].piece.count;
}

/* Member n has changed, and the pair with it belongs to member o. If that was o's first impact, at this very moment, it
 * may still happen now: o finds out when its turn comes. But another image of n may come before it. Of many images the
 * first one finds o's first impact anew, with n as it is now; the others then come no earlier. */
static void reconsider(carom_cluster *c, uint32_t o, uint32_t n, uint32_t image) {
    carom_bystanders_load(c, o);
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

/* Those of a member's pairs of others that the kernel tests, and that it does not rule out until the window ends: their
 * number, and they are own->near. */
static uint32_t find_near(const carom_cluster *c, const carom_member *m) {
    const uint64_t count = m->rest - m->others;
    const uint64_t room = count + CAROM_SIMD_PAD;
    if (carom_buffer_reserve(c->window->memory, &c->own->near, 2 * room * sizeof(uint32_t)) != CAROM_OK) {
        c->own->failed = true;
        return 0;
    }
    uint32_t *near = c->own->near.data;
    carom_coarse_path own = c->coarse[m - c->m];
    own.group = 1;
    const carom_coarse_time time = carom_hulls_time(c->window->hulls, c->now, c->window->end);
    return c->window->simd->near_row(c->coarse, &own, c->other + m->others, (uint32_t)count, time, near, near + room)
        .near;
}

/* Reconsiders those pairs with member n that the kernel does not rule out until the window ends: the others' impacts,
 * if predicted before, are too early, which does no harm. */
static void reconsider_near(carom_cluster *c, uint32_t n) {
    const uint32_t count = find_near(c, &c->m[n]);
    const uint32_t *near = c->own->near.data;
    for (uint32_t at = 0; at < count; at++) {
        reconsider(c, near[at], n, CAROM_IMAGE_SELF);
    }
}

/* The owner of the first pair with member n, in the order of impacts, that collides now; or CAROM_IMPACTS_NONE. */
static uint32_t first_now(carom_cluster *c, uint32_t n) {
    carom_instant_walk walk = carom_instant_walk_begin(c, n);
    uint32_t first = CAROM_IMPACTS_NONE;
    while (!(walk.sorted && first != CAROM_IMPACTS_NONE) && carom_instant_walk_next(c, n, &walk)) {
        const owned_pair pair = pair_of(c, walk.owner, n, CAROM_IMAGE_SELF);
        const bool precedes_first = first == CAROM_IMPACTS_NONE || c->m[walk.owner].number < c->m[first].number;
        first = precedes_first && predict(c, &pair) <= c->now ? walk.owner : first;
    }
    return first;
}

/* Finds the first pair with member n that collides now, if there is one: it becomes its owner's first impact. */
static void consider_now(carom_cluster *c, uint32_t n) {
    const uint32_t first = first_now(c, n);
    c->m[n].deferral.first = first;
    if (first != CAROM_IMPACTS_NONE) {
        reconsider(c, first, n, CAROM_IMAGE_SELF);
    }
}

/* Defers what a change of member n does to pairs of others until time goes on. */
static void defer(carom_cluster *c, uint32_t n) {
    carom_deferral *d = &c->m[n].deferral;
    if (!d->waits) {
        carom_instant_begin(c, n);
        d->waits = true;
        d->next = c->deferred;
        c->deferred = n;
    }
    consider_now(c, n);
}

/* Members whose changes are deferred, and whose first pair with member n, which has changed, was to collide now. */
static void consider_deferred(carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    for (uint64_t at = m->begin; at < m->others && c->deferred != CAROM_IMPACTS_NONE; at++) {
        const uint32_t other = c->other[at];
        if (carom_impacts_is_surface(other) || !c->m[other].deferral.waits) {
            continue;
        }
        carom_instant_change(c, other, n);
        if (c->m[other].deferral.first == n) {
            consider_now(c, other);
        }
    }
}

/* Time goes on. */
static void end_deferrals(carom_cluster *c) {
    while (c->deferred != CAROM_IMPACTS_NONE) {
        const uint32_t n = c->deferred;
        c->deferred = c->m[n].deferral.next;
        c->m[n].deferral.waits = false;
        reconsider_near(c, n);
    }
}

void carom_firsts_begin(carom_cluster *c) {
    while (c->heaped < c->all && !c->own->failed && !carom_cluster_stopped(c, c->heaped)) {
        const uint32_t n = c->heaped++;
        find_first(c, n);
        c->place[n] = n;
        settle(c, n);
    }
}

double carom_firsts_next(carom_cluster *c) {
    if (c->heap[0].t > c->now) {
        end_deferrals(c);
    }
    return c->heap[0].t;
}

bool carom_firsts_is_stale(const carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    return m->partner != CAROM_IMPACTS_NONE && c->m[m->partner].piece.count != m->count;
}

void carom_firsts_find(const carom_cluster *c, uint32_t n) {
    find_first(c, n);
    settle(c, n);
}

void carom_firsts_change(carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    carom_firsts_find(c, n);
    consider_deferred(c, n);
    if (m->rest - m->others >= DEFERRED_LEAST) {
        defer(c, n);
    } else if (m->rest > m->others) {
        reconsider_near(c, n);
    }
    for (uint64_t at = m->rest; at < m->end; at++) {
        reconsider(c, c->other[at], n, carom_image_opposite(c->image[at]));
    }
}
