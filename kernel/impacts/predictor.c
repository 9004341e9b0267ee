/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs. Out: the impacts that they have if nothing else happens. */
#include "kernel/impacts/predictor.h"

#include <math.h>
#include <string.h>

/* Keeps an impact at time t, if it is of this step and before the hulls end. */
static void note(const carom_predictor *p, const carom_contact_pair *pair, double t) {
    const carom_piece *piece = p->window->bodies->piece;
    if (t < p->search->hulls.until) {
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

static double time_of(const carom_predictor *p, const carom_contact_pair *pair) {
    carom_impacts_bodies *bodies = p->window->bodies;
    carom_piece *piece = &bodies->piece[pair->a];
    return carom_impacts_is_surface(pair->other)
               ? carom_impacts_predict_surface(bodies, pair->a, piece, pair->other - CAROM_IMPACTS_SURFACE)
               : carom_impacts_predict(bodies, pair->a, piece, pair->other, &bodies->piece[pair->other], pair->image);
}

/* Of whatever kind. */
static void predict_one(const carom_predictor *p, const carom_contact_pair *pair) {
    if (carom_impacts_is_surface(pair->other) || carom_impacts_collide(p->window->bodies, pair->a, pair->other)) {
        note(p, pair, time_of(p, pair));
    }
}

/* Pairs that the kernel predicts. */
typedef struct block {
    uint32_t count;
    uint32_t a[CAROM_PREDICTOR_BLOCK];
    uint32_t b[CAROM_PREDICTOR_BLOCK];
    double reach[CAROM_PREDICTOR_BLOCK + CAROM_SIMD_PAD];
    double t[CAROM_PREDICTOR_BLOCK + CAROM_SIMD_PAD];
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
static void note_block(const carom_predictor *p, block *q) {
    const double *motion = carom_impacts_motion(p->window->bodies->piece);
    p->window->simd->impact_times(motion, q->a, motion, q->b, q->reach, q->count, q->t);
    for (uint32_t n = 0; n < q->count; n++) {
        const carom_contact_pair pair = {q->a[n], q->b[n], CAROM_IMAGE_SELF};
        note(p, &pair, isnan(q->t[n]) ? time_of(p, &pair) : q->t[n]);
    }
}

static void predict_pairs(const carom_predictor *p, const carom_contact_pair *pair, uint32_t count) {
    const carom_impacts_bodies *bodies = p->window->bodies;
    for (uint32_t n = 0; n < count; n++) {
        carom_impacts_fetch(bodies, pair[n].a);
        carom_impacts_fetch(bodies, pair[n].other);
    }
    block q;
    q.count = 0;
    for (uint32_t n = 0; n < count; n++) {
        append_pair(bodies, &q, pair[n].a, pair[n].other);
    }
    note_block(p, &q);
}

/* Until when pairs may collide that are of interest. */
static double last_time(const carom_predictor *p) {
    return p->keeps ? p->search->hulls.frame.end : p->search->hulls.until;
}

/* Makes pairs prospects. */
static void keep(const carom_predictor *p, const carom_contact_pair *pair, uint32_t count) {
    if (p->keeps && count > 0) {
        carom_list *list = &p->own->prospects.pair;
        if (!carom_list_reserve(p->window->memory, list, count, sizeof *pair)) {
            p->own->prospects.lost = true;
            return;
        }
        memcpy((carom_contact_pair *)list->buffer.data + list->count, pair, count * sizeof *pair);
        list->count += count;
    }
}

void carom_predictor_block(const carom_predictor *p, const uint32_t *a, const uint32_t *b, uint32_t count) {
    const carom_hulls *hulls = &p->search->hulls;
    const carom_coarse_time time = carom_hulls_time(hulls, p->window->begin, last_time(p));
    uint32_t near[CAROM_PREDICTOR_BLOCK + CAROM_SIMD_PAD];
    carom_contact_pair pair[CAROM_PREDICTOR_BLOCK];
    const uint32_t kept = p->window->simd->near_pairs(hulls->coarse, a, b, count, time, near);
    for (uint32_t n = 0; n < kept; n++) {
        pair[n] = (carom_contact_pair){a[near[n]], b[near[n]], CAROM_IMAGE_SELF};
    }
    keep(p, pair, kept);
    predict_pairs(p, pair, kept);
}

void carom_predictor_surface(const carom_predictor *p, uint32_t slot, uint32_t other) {
    const carom_contact_pair pair = {slot, other, CAROM_IMAGE_SELF};
    keep(p, &pair, 1);
    predict_one(p, &pair);
}

void carom_predictor_image(const carom_predictor *p, const carom_contact_pair *pair) {
    const carom_hulls *hulls = &p->search->hulls;
    const carom_pair_image image = carom_impacts_image(p->window->bodies, pair->image);
    if (carom_hulls_may_meet(hulls, &hulls->coarse[pair->a], &hulls->coarse[pair->other], &image, p->window->begin,
                             last_time(p))) {
        keep(p, pair, 1);
        predict_one(p, pair);
    }
}
