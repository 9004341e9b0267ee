/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: lone pairs. Out: their impacts and paths, which the kernel computes for many pairs at once. */
#include "kernel/impacts/lone_block.h"

#include <stddef.h>

#include "kernel/impacts/paths.h"

/* What the kernel writes. */
_Static_assert(sizeof(carom_impact) == 7 * sizeof(double) && offsetof(carom_impact, point) == 3 * sizeof(double) &&
                   offsetof(carom_impact, impulse) == 6 * sizeof(double),
               "an impact is a row of doubles");

/* Slots of pairs that are not there are read, too. */
void carom_lone_block_begin(carom_lone_block *block, const carom_window *window, uint32_t worker) {
    block->window = window;
    block->worker = worker;
    block->count = 0;
    memset(&block->bodies, 0, offsetof(carom_collide_block, impact));
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
    block->bodies.bounce[n] = carom_response_bounce(&bodies->rules, &side[0], &side[1], lone->t);
}

/* The kernel computes what is not moved by edges of a periodic box. */
void carom_lone_block_simulate(carom_lone_block *block, const carom_lone_pair *pair) {
    const carom_lone_impact lone = carom_lone_pair_begin(block->window, pair, block->worker);
    if (!(lone.t < block->window->end)) {
        return;
    }
    if (lone.image != CAROM_IMAGE_SELF) {
        carom_lone_pair_collide(block->window, &lone);
        return;
    }
    block->lone[block->count] = lone;
    put(block, block->count++);
    if (block->count == CAROM_COLLIDE_MOST) {
        carom_lone_block_run(block);
    }
}

/* Takes what the kernel made of pair n. */
static void take(const carom_lone_block *block, uint32_t n) {
    const carom_window *window = block->window;
    const carom_lone_impact *lone = &block->lone[n];
    carom_impacts_worker *own = &window->worker[block->worker];
    const uint32_t number[2] = {window->bodies->number[lone->side[0]->slot],
                                window->bodies->number[lone->side[1]->slot]};
    carom_impacts_event event = {.t = lone->t, .i = number[0], .k = number[1]};
    memcpy(&event.impact, block->bodies.impact[n], sizeof event.impact);
    lone->root->event = own->event.count;
    lone->root->events = 1;
    own->failed = own->failed || !carom_list_append(window->memory, &own->event, &event, sizeof event);
    for (int s = 0; s < 2; s++) {
        carom_piece piece;
        memcpy(&piece, block->bodies.motion[s][n], sizeof piece);
        piece.last = number[1 - s];
        piece.image = CAROM_IMAGE_SELF;
        piece.count++;
        carom_paths_put(window, lone->side[s], &piece, &block->bodies.coarse[s][n],
                        (block->bodies.stays[s] >> n & 1) != 0);
    }
}

void carom_lone_block_run(carom_lone_block *block) {
    const carom_window *window = block->window;
    if (block->count == 0) {
        return;
    }
    const carom_collide_in in = {&window->hulls->frame, carom_impacts_motion(window->bodies->piece), window->hulls->box,
                                 window->bodies->rules.rest_speed};
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
