/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: neighbours. Out: the impacts that they have before the hulls end, if nothing else happens. */
#include <math.h>

#include "kernel/impacts/search.h"

/* Pairs that begin a worker's share. */
enum { GRAIN = 16 };

/* Pairs that the kernel tests at once. */
enum { BLOCK = 128 };

/* What a worker predicts with. */
typedef struct predictor {
    const carom_search *search;
    const carom_team *team;
    carom_window *window;
    carom_impacts_worker *own;
} predictor;

/* Keeps an impact at time t, if it is before the hulls end. */
static void note_pending(const predictor *p, const carom_contact_pair *pair, double t) {
    const carom_piece *piece = p->window->bodies->piece;
    if (t < p->search->hulls.frame.end) {
        carom_pending *pending = carom_list_add(p->window->memory, &p->own->pending, sizeof *pending);
        if (pending == NULL) {
            p->own->failed = true;
            return;
        }
        pending->pair = *pair;
        pending->count[0] = piece[pair->a].count;
        pending->count[1] = carom_impacts_is_surface(pair->other) ? 0 : piece[pair->other].count;
        pending->t = t;
    }
}

static double predict(const predictor *p, const carom_contact_pair *pair) {
    carom_impacts_bodies *bodies = p->window->bodies;
    carom_piece *piece = &bodies->piece[pair->a];
    return carom_impacts_is_surface(pair->other)
               ? carom_impacts_predict_surface(bodies, pair->a, piece, pair->other - CAROM_IMPACTS_SURFACE)
               : carom_impacts_predict(bodies, pair->a, piece, pair->other, &bodies->piece[pair->other], pair->image);
}

/* Pairs that the kernel predicts. */
typedef struct block {
    uint32_t count;
    uint32_t a[BLOCK];
    uint32_t b[BLOCK];
    double reach[BLOCK + CAROM_SIMD_PAD];
    double t[BLOCK + CAROM_SIMD_PAD];
} block;

static void append_pair(const carom_impacts_bodies *bodies, block *q, uint32_t a, uint32_t b) {
    if (carom_impacts_collide(bodies, a, b) &&
        carom_impacts_can_collide(bodies, a, &bodies->piece[a], b, &bodies->piece[b])) {
        q->a[q->count] = a;
        q->b[q->count] = b;
        q->reach[q->count++] = bodies->body[a].radius + bodies->body[b].radius;
    }
}

/* Predicts the impacts of all pairs: the kernel leaves unusual ones to the function for one pair. */
static void note_block(const predictor *p, block *q) {
    const double *motion = carom_impacts_motion(p->window->bodies->piece);
    p->window->simd->impact_times(motion, q->a, motion, q->b, q->reach, q->count, q->t);
    for (uint32_t n = 0; n < q->count; n++) {
        const carom_contact_pair pair = {q->a[n], q->b[n], CAROM_IMAGE_SELF};
        note_pending(p, &pair, isnan(q->t[n]) ? predict(p, &pair) : q->t[n]);
    }
}

static inline __attribute__((always_inline)) void fetch_body(const carom_impacts_bodies *bodies, uint32_t slot) {
    __builtin_prefetch(&bodies->piece[slot]);
    __builtin_prefetch(&bodies->body[slot]);
    __builtin_prefetch(&bodies->number[slot]);
}

/* Predicts those of at most BLOCK pairs that pass the kernel's test. No image is moved. */
static void predict_block(const predictor *p, const uint32_t *a, const uint32_t *b, uint32_t count) {
    const carom_hulls *hulls = &p->search->hulls;
    const carom_coarse_time time = carom_hulls_time(hulls, hulls->frame.begin, hulls->frame.end);
    uint32_t near[BLOCK + CAROM_SIMD_PAD];
    const uint32_t kept = p->window->simd->near_pairs(hulls->coarse, a, b, count, time, near);
    for (uint32_t n = 0; n < kept; n++) {
        fetch_body(p->window->bodies, a[near[n]]);
        fetch_body(p->window->bodies, b[near[n]]);
    }
    block q;
    q.count = 0;
    for (uint32_t n = 0; n < kept; n++) {
        append_pair(p->window->bodies, &q, a[near[n]], b[near[n]]);
    }
    note_block(p, &q);
}

static void predict_pairs(const predictor *p, uint64_t begin, uint64_t end) {
    const carom_found_pairs *pairs = &p->search->pairs;
    const carom_coarse_path *coarse = p->search->hulls.coarse;
    for (uint64_t at = begin; at < end; at += BLOCK) {
        for (uint64_t n = at + BLOCK; n < at + 2 * BLOCK && n < end; n++) {
            __builtin_prefetch(&coarse[pairs->a[n]]);
            __builtin_prefetch(&coarse[pairs->b[n]]);
        }
        predict_block(p, pairs->a + at, pairs->b + at, end - at < BLOCK ? (uint32_t)(end - at) : BLOCK);
    }
}

static void predict_image(const predictor *p, uint64_t n, uint32_t code) {
    const carom_found_pairs *pairs = &p->search->pairs;
    const carom_hulls *hulls = &p->search->hulls;
    const carom_pair_image image = carom_impacts_image(p->window->bodies, code);
    const carom_contact_pair pair = {pairs->a[n], pairs->b[n], code};
    if (carom_hulls_may_meet(hulls, &hulls->coarse[pair.a], &hulls->coarse[pair.other], &image, hulls->frame.begin,
                             hulls->frame.end) &&
        carom_impacts_collide(p->window->bodies, pair.a, pair.other)) {
        note_pending(p, &pair, predict(p, &pair));
    }
}

/* In a periodic box. Most pairs are of no image but the bodies themselves: the kernel tests those. */
static void predict_images(const predictor *p, uint64_t begin, uint64_t end) {
    const carom_found_pairs *pairs = &p->search->pairs;
    uint32_t a[BLOCK];
    uint32_t b[BLOCK];
    uint32_t count = 0;
    for (uint64_t n = begin; n < end; n++) {
        const uint32_t code = carom_image_code(pairs->shift[0][n], pairs->shift[1][n], pairs->shift[2][n]);
        if (code != CAROM_IMAGE_SELF) {
            predict_image(p, n, code);
            continue;
        }
        a[count] = pairs->a[n];
        b[count++] = pairs->b[n];
        if (count == BLOCK) {
            predict_block(p, a, b, count);
            count = 0;
        }
    }
    predict_block(p, a, b, count);
}

static void predict_task(void *data, uint32_t worker) {
    predictor p = *(const predictor *)data;
    p.own = &p.window->worker[worker];
    p.own->pending.count = p.own->aside.count = 0;
    carom_walk walk = carom_team_walk(p.team, worker, p.search->pairs.count, GRAIN);
    while (carom_walk_next(&walk)) {
        (p.window->bodies->periodic == NULL ? predict_pairs : predict_images)(&p, walk.begin, walk.end);
    }
    walk = carom_team_walk(p.team, worker, p.search->surface.count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const carom_contact_pair *pair = (const carom_contact_pair *)p.search->surface.buffer.data + n;
            note_pending(&p, pair, predict(&p, pair));
        }
    }
}

void carom_search_predict(const carom_search *search, const carom_team *team, carom_window *window) {
    predictor p = {.search = search, .team = team, .window = window};
    carom_team_run_over(team, window->bodies->count, predict_task, &p);
}
