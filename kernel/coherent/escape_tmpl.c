/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/escape_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/coherent/extended_tmpl.h"
#include "kernel/coherent/index.h"
#include "kernel/coherent/inner.h"
#include "kernel/coherent/validate.h"
#include "simd/layout.h"

/* A body extended along its path, by itself. */
typedef struct one_body {
    carom_record own; /* as the caller has it */
    carom_real curr[3];
    carom_real radius[2];    /* for checks, and for the list */
    carom_bodies bodies;     /* a view of the body */
    carom_extended extended; /* a view of the arrays above */
} one_body;

/* Extends a body. The views point into *one, which must stay where it is. */
static void extend_one(const carom_coherent *state, const carom_record *own, one_body *one) {
    one->own = *own;
    carom_bodies from = {.count = 1, .radius = &one->own.radius};
    one->extended = (carom_extended){.radius = &one->radius[0], .list_radius = &one->radius[1]};
    if (sizeof(carom_real) == sizeof(float)) {
        one->extended.list_radius = one->extended.radius;
    }
    for (int a = 0; a < 3; a++) {
        from.prev[a] = &one->own.prev[a];
        from.curr[a] = &one->own.curr[a];
        one->extended.curr[a] = &one->curr[a];
    }
    one->bodies = from;
    carom_extended_fill(state, &from, 0, 1, &one->extended);
    for (int a = 0; a < 3; a++) {
        one->bodies.curr[a] = &one->curr[a];
    }
}

/* The swept box of the extended body, with either radius. */
static carom_slot_box box_of(const carom_coherent *state, one_body *one, const carom_real *radius) {
    carom_slot_box box = {.lo = {0}};
    float *lo[3] = {&box.lo[0], &box.lo[1], &box.lo[2]};
    float *hi[3] = {&box.hi[0], &box.hi[1], &box.hi[2]};
    one->bodies.radius = radius;
    carom_kernels_of(state->context->simd)->fat_boxes(&one->bodies, 0, 1, state->centre, lo, hi);
    return box;
}

/* Appends the pairs that come with a larger box of `own`. False if the list is too short for them; nothing is changed.
 */
static bool append_pairs(carom_coherent *state, uint32_t own, const carom_slot_box *box) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    const carom_coherent_index index =
        carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    const uint64_t room = state->list.capacity - state->list.pairs;
    const uint64_t count =
        carom_coherent_index_grow(&index, state->context->simd, own, box, list.i + state->list.pairs, room);
    if (count > room) {
        return false;
    }
    uint64_t at = state->list.pairs;
    for (uint64_t n = at, end = at + count; n < end; n++) {
        const uint32_t other = list.i[n];
        list.i[at] = own > other ? own : other;
        list.k[at] = own > other ? other : own;
        at += carom_coherent_is_listed(&list, own, other);
    }
    state->list.pairs = at;
    return true;
}

/* The list first: where it has no room for the pairs, the fat box must not grow. */
bool carom_escape_grow_body(carom_coherent *state, const carom_record *body, uint32_t n) {
    const uint32_t own = ((const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_SLOT))[n];
    one_body one;
    extend_one(state, body, &one);
    const carom_slot_box list_box = box_of(state, &one, one.extended.list_radius);
    if (!append_pairs(state, own, &list_box)) {
        return false;
    }
    float *lo[3];
    float *hi[3];
    carom_coherent_fat_boxes(state, lo, hi);
    const carom_slot_box box = box_of(state, &one, one.extended.radius);
    for (int a = 0; a < 3; a++) {
        lo[a][n] = box.lo[a] < lo[a][n] ? box.lo[a] : lo[a][n];
        hi[a][n] = box.hi[a] > hi[a][n] ? box.hi[a] : hi[a][n];
    }
    /* A larger fat box has room for a larger inner box: otherwise the body would read both in every step. */
    carom_coherent_inner_fill(state, n, (uint64_t)n + 1);
    return true;
}

void carom_escape_extend(const carom_coherent *state, const carom_record *body, carom_record *extended) {
    one_body one;
    extend_one(state, body, &one);
    *extended = *body;
    extended->radius = one.extended.list_radius[0];
    for (int a = 0; a < 3; a++) {
        extended->curr[a] = one.curr[a];
    }
}

static bool grow_one(carom_coherent_step *step, uint32_t n) {
    if (step->hooks != NULL) {
        return step->hooks->grow(step, n);
    }
    const carom_record body = carom_layout_body(step->job->bodies, n);
    return carom_escape_grow_body(step->state, &body, n);
}

/* Bodies ahead whose slots, and then boxes, are fetched into the cache. */
enum { AHEAD = 3 };

static inline __attribute__((always_inline)) void fetch_ahead(const carom_coherent *state, const uint32_t *who,
                                                              uint64_t left) {
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    const carom_coherent_index index =
        carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    if (left > 2 * AHEAD) {
        __builtin_prefetch(&slot[who[2 * AHEAD]]);
    }
    if (left > AHEAD) {
        carom_coherent_index_prefetch(&index, slot[who[AHEAD]]);
    }
}

bool carom_escape_grow(carom_coherent_step *step, uint64_t escaped) {
    carom_coherent *state = step->state;
    const uint32_t *who = carom_coherent_data(state, CAROM_COHERENT_ESCAPED);
    CAROM_ASSERT(state->built && state->count == step->job->bodies->count);
    if (!carom_coherent_lookahead_afford(&state->lookahead, (double)escaped)) {
        return false;
    }
    for (uint64_t n = 0; n < escaped && !carom_control_look(state->context->team.control); n++) {
        CAROM_ASSERT(who[n] < state->count && (n == 0 || who[n - 1] < who[n]));
        fetch_ahead(state, who + n, escaped - n);
        if (!grow_one(step, who[n])) {
            return false;
        }
    }
    /* Bodies in turn: the box of a later one is compared with boxes that have grown already, so a pair of two escaped
     * bodies comes with the second one. */
    CAROM_VALIDATE(carom_job_stopped(step->job) ? NULL : carom_coherent_validate(state));
    return true;
}
