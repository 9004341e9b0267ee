/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that have left their fat boxes get larger ones, and the pairs that come with them. A fat box only grows, so a
 * pair is on the list if and only if the fat boxes of its bodies overlap: none is listed twice. */
#include "kernel/coherent/escape_tmpl.h"

#include "kernel/coherent/drawn_tmpl.h"
#include "kernel/coherent/index.h"
#include "kernel/coherent/inner.h"

typedef struct lone_body {
    carom_real curr[3];
    carom_real radius[2];
    carom_bodies bodies; /* a view of the one, drawn out */
    carom_drawn drawn;
} lone_body;

static void draw_one(const carom_coherent *state, const carom_bodies *bodies, uint64_t n, lone_body *one) {
    carom_bodies from = {.count = 1, .radius = bodies->radius + n};
    one->drawn = (carom_drawn){.radius = &one->radius[0], .wide_radius = &one->radius[1]};
    if (sizeof(carom_real) == sizeof(float)) {
        one->drawn.wide_radius = one->drawn.radius;
    }
    for (int a = 0; a < 3; a++) {
        from.prev[a] = bodies->prev[a] + n;
        from.curr[a] = bodies->curr[a] + n;
        one->drawn.curr[a] = &one->curr[a];
    }
    one->bodies = from;
    carom_drawn_make(state, &from, 0, 1, &one->drawn);
    for (int a = 0; a < 3; a++) {
        one->bodies.curr[a] = &one->curr[a];
    }
}

/* The box of the one body, with either radius. */
static carom_slot_box box_of(const carom_coherent *state, lone_body *one, const carom_real *radius) {
    carom_slot_box box = {.lo = {0}};
    float *lo[3] = {&box.lo[0], &box.lo[1], &box.lo[2]};
    float *hi[3] = {&box.hi[0], &box.hi[1], &box.hi[2]};
    one->bodies.radius = radius;
    carom_kernels_of(state->context->simd)->fat_boxes(&one->bodies, 0, 1, state->centre, lo, hi);
    return box;
}

static bool widen_fat_box(carom_coherent *state, const carom_bodies *bodies, uint32_t n) {
    const uint32_t own = ((const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_SLOT))[n];
    carom_coherent_index index =
        carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    uint64_t room = state->list.room - state->list.pairs;
    lone_body one;
    draw_one(state, bodies, n, &one);
    carom_slot_box listed = box_of(state, &one, one.drawn.wide_radius);
    uint64_t count = carom_coherent_index_grow(&index, own, &listed, pair_i + state->list.pairs, room);
    if (count > room) {
        return false;
    }
    for (uint64_t end = state->list.pairs + count; state->list.pairs < end; state->list.pairs++) {
        uint32_t other = pair_i[state->list.pairs];
        pair_i[state->list.pairs] = own > other ? own : other;
        pair_k[state->list.pairs] = own > other ? other : own;
    }
    float *lo[3];
    float *hi[3];
    carom_coherent_fat_boxes(state, lo, hi);
    carom_slot_box checked = box_of(state, &one, one.drawn.radius);
    for (int a = 0; a < 3; a++) {
        lo[a][n] = checked.lo[a] < lo[a][n] ? checked.lo[a] : lo[a][n];
        hi[a][n] = checked.hi[a] > hi[a][n] ? checked.hi[a] : hi[a][n];
    }
    carom_coherent_inner_fill(state, n, (uint64_t)n + 1);
    return true;
}

bool carom_escape_grow(carom_coherent_step *step, uint64_t escaped) {
    carom_coherent *state = step->state;
    const uint32_t *who = carom_coherent_data(state, CAROM_COHERENT_ESCAPED);
    if (!carom_coherent_reach_worth(&state->reach, state->count, escaped)) {
        return false;
    }
    for (uint64_t n = 0; n < escaped; n++) {
        if (!widen_fat_box(state, step->job->bodies, who[n])) {
            return false;
        }
    }
    return true;
}
