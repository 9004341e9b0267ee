/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two bodies. Out: their impact, if they have one before the window ends. Two that have hit each other, and were
 * not held, do not meet again. */
#include "kernel/impacts/lone_pair.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/paths.h"

/* Whether a body is near no surface, is no giant among bystanders, and nothing was added to its row. */
static bool has_plain_row(const carom_impacts_rows *rows, uint32_t slot, uint32_t surfaces) {
    if (rows->head[slot].extra != CAROM_IMPACTS_NONE || (rows->longs.count > 0 && carom_row_is_long(rows, slot))) {
        return false;
    }
    return surfaces == 0 || rows->head[slot].start == carom_row_end(rows, slot) ||
           !carom_impacts_is_surface(rows->other[rows->head[slot].start]);
}

/* The image of b that a may meet; CAROM_IMPACTS_NONE if there are several. */
static uint32_t only_image(const carom_impacts_rows *rows, uint32_t a, uint32_t b) {
    uint32_t image = CAROM_IMAGE_SELF;
    uint32_t found = 0;
    for (uint64_t at = rows->head[a].start; at < carom_row_end(rows, a) && rows->image != NULL; at++) {
        if (rows->other[at] == b) {
            image = rows->image[at];
            found++;
        }
    }
    return found <= 1 ? image : CAROM_IMPACTS_NONE;
}

/* Whether one impact does not hold the body: others would meet it again. */
static bool stays_free(const carom_impacts_bodies *bodies, uint32_t slot) {
    return bodies->piece[slot].count + 1U < bodies->rules.budget;
}

carom_lone_pair carom_lone_pair_of(const carom_window *window, carom_active *root) {
    carom_active *active = carom_window_active(window);
    const carom_impacts_bodies *bodies = window->bodies;
    carom_lone_pair pair = {root, &active[carom_active_next(root)], CAROM_IMPACTS_NONE};
    if (!root->verified && !isnan(pair.b->t) && pair.b != root && &active[carom_active_next(pair.b)] == root &&
        bodies->all_movable && has_plain_row(window->rows, pair.a->slot, bodies->surfaces) &&
        has_plain_row(window->rows, pair.b->slot, bodies->surfaces) && stays_free(bodies, pair.a->slot) &&
        stays_free(bodies, pair.b->slot)) {
        pair.image = only_image(window->rows, pair.a->slot, pair.b->slot);
    }
    return pair;
}

/* A body's path begins anew, and its group is that of its root. */
static void begin(const carom_window *window, carom_active *active, uint32_t worker) {
    carom_paths_begin(window, active, worker);
    window->hulls->coarse[active->slot].group = active->parent + 1;
}

void carom_lone_pair_begin(const carom_window *window, const carom_lone_pair *pair, uint32_t worker,
                           carom_lone_impact *lone) {
    const carom_impacts_bodies *bodies = window->bodies;
    const bool first = bodies->number[pair->a->slot] < bodies->number[pair->b->slot];
    lone->root = pair->a;
    lone->side[0] = first ? pair->a : pair->b;
    lone->side[1] = first ? pair->b : pair->a;
    lone->image = first ? pair->image : carom_image_opposite(pair->image);
    lone->t = pair->b->t;
    begin(window, pair->a, worker);
    begin(window, pair->b, worker);
    window->worker[worker].largest = window->worker[worker].largest < 2 ? 2 : window->worker[worker].largest;
    CAROM_ASSERT(lone->t >= window->begin && lone->t < window->end);
}

void carom_lone_pair_collide(const carom_window *window, const carom_lone_impact *lone) {
    const carom_impacts_bodies *bodies = window->bodies;
    const uint32_t slot[2] = {lone->side[0]->slot, lone->side[1]->slot};
    carom_impacts_worker *own = &window->worker[lone->root->worker];
    carom_piece piece[2] = {bodies->piece[slot[0]], bodies->piece[slot[1]]};
    const carom_response_side i = carom_impacts_side(bodies, slot[0], &piece[0]);
    const carom_response_side k = carom_impacts_side(bodies, slot[1], &piece[1]);
    const carom_pair_image image = carom_impacts_image(bodies, lone->image);
    carom_impacts_event event = {.t = lone->t, .i = i.number, .k = k.number};
    carom_impacts_edges(bodies, lone->image, event.shift);
    event.impact = carom_respond_bodies(&bodies->rules, &i, &k, &image, lone->t);
    lone->root->event = own->event.count;
    lone->root->events = 1;
    own->failed = own->failed || !carom_list_append(window->memory, &own->event, &event, sizeof event);
    for (int n = 0; n < 2; n++) {
        carom_paths_append(window, lone->side[n], &piece[n]);
    }
}
