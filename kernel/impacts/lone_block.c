/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: lone pairs. Out: their impacts and paths, which the kernel computes for many pairs at once. */
#include "kernel/impacts/lone_block.h"

#include <stddef.h>
#include <string.h>

#include "kernel/impacts/paths.h"

/* What the kernel writes. */
_Static_assert(sizeof(carom_impact) == 7 * sizeof(double) && offsetof(carom_impact, point) == 3 * sizeof(double) &&
                   offsetof(carom_impact, impulse) == 6 * sizeof(double),
               "an impact is a row of doubles");

void carom_lone_block_begin(carom_lone_block *block, const carom_window *window, uint32_t worker) {
    block->window = window;
    block->worker = worker;
    block->count = 0;
}

/* The kernel reads whole vectors. Lanes without a pair get the first one: other bodies may be another worker's. */
static void fill(carom_lone_block *block) {
    carom_collide_block *b = &block->bodies;
    for (uint32_t n = block->count; n < CAROM_COLLIDE_MOST; n++) {
        for (int s = 0; s < 2; s++) {
            b->slot[s][n] = b->slot[s][0];
            b->radius[s][n] = b->radius[s][0];
            b->inverse_mass[s][n] = b->inverse_mass[s][0];
        }
        b->t[n] = b->t[0];
        b->bounce[n] = b->bounce[0];
        b->rest_speed[n] = b->rest_speed[0];
    }
}

/* What the kernel reads of pair n. */
static void put(carom_lone_block *block, uint32_t n) {
    const carom_impacts_bodies *bodies = block->window->bodies;
    const carom_lone_impact *lone = &block->lone[n];
    carom_response_side side[2];
    for (int s = 0; s < 2; s++) {
        const uint32_t slot = lone->side[s]->slot;
        side[s] = carom_impacts_side(bodies, slot, &bodies->piece[slot]);
        block->bodies.slot[s][n] = slot;
        block->bodies.radius[s][n] = side[s].body->radius;
        block->bodies.inverse_mass[s][n] = side[s].body->inverse_mass;
    }
    block->bodies.t[n] = lone->t;
    const carom_response_bounce bounce = carom_response_bounce_of(&bodies->rules, &side[0], &side[1], lone->t);
    block->bodies.bounce[n] = bounce.factor;
    block->bodies.rest_speed[n] = bounce.rest_speed;
}

/* The kernel computes what is not moved by edges of a periodic box. */
void carom_lone_block_simulate(carom_lone_block *block, const carom_lone_pair *pair) {
    carom_lone_impact *lone = &block->lone[block->count];
    carom_lone_pair_begin(block->window, pair, block->worker, lone);
    if (lone->image != CAROM_IMAGE_SELF) {
        carom_lone_pair_collide(block->window, lone);
        return;
    }
    put(block, block->count++);
    if (block->count == CAROM_COLLIDE_MOST) {
        carom_lone_block_run(block);
    }
}

/* The event of pair n. */
static void append_event(const carom_lone_block *block, uint32_t n, const uint32_t number[2]) {
    const carom_lone_impact *lone = &block->lone[n];
    carom_impacts_worker *own = &block->window->worker[block->worker];
    lone->root->event = own->event.count;
    lone->root->events = 1;
    carom_impacts_event *event = carom_list_add(block->window->memory, &own->event, sizeof *event);
    if (event == NULL) {
        own->failed = true;
        return;
    }
    event->t = lone->t;
    event->i = number[0];
    event->k = number[1];
    event->shift[0] = event->shift[1] = event->shift[2] = 0;
    event->group = 0;
    memcpy(&event->impact, block->bodies.impact[n], sizeof event->impact);
}

/* The new piece of a body of pair n, which has hit body `other`. */
static void append_piece(const carom_lone_block *block, uint32_t n, int side, uint32_t other) {
    const carom_collide_block *from = &block->bodies;
    carom_active *active = block->lone[n].side[side];
    carom_path_piece *path = carom_paths_add(block->window, active, block->lone[n].t);
    if (path == NULL) {
        return;
    }
    const uint16_t count = block->window->bodies->piece[active->slot].count;
    memcpy(&path->piece, from->motion[side][n], sizeof path->piece);
    path->piece.last = other;
    path->piece.count = (uint16_t)(count + 1);
    path->piece.image = CAROM_IMAGE_SELF;
    path->coarse = from->coarse[side][n];
    if ((from->stays[side] >> n & 1) == 0) {
        carom_paths_escape(block->window, active, &path->piece);
    }
}

/* Takes what the kernel made of pair n. */
static void take(const carom_lone_block *block, uint32_t n) {
    const carom_lone_impact *lone = &block->lone[n];
    const uint32_t *numbers = block->window->bodies->number;
    const uint32_t number[2] = {numbers[lone->side[0]->slot], numbers[lone->side[1]->slot]};
    append_event(block, n, number);
    for (int s = 0; s < 2; s++) {
        append_piece(block, n, s, number[1 - s]);
    }
}

void carom_lone_block_run(carom_lone_block *block) {
    const carom_window *window = block->window;
    if (block->count == 0) {
        return;
    }
    fill(block);
    const carom_collide_in in = {&window->hulls->frame, carom_impacts_motion(window->bodies->piece),
                                 window->hulls->box};
    const uint32_t computed = window->simd->collide(&in, block->count, &block->bodies);
    for (uint32_t n = 0; n < block->count; n++) {
        if ((computed >> n & 1) != 0) {
            take(block, n);
        } else {
            carom_lone_pair_collide(window, &block->lone[n]);
        }
    }
    block->count = 0;
}
