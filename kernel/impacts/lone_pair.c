/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two bodies. Out: their impact, if they have one before the window ends. */
#include "kernel/impacts/lone_pair.h"

#include "kernel/impacts/paths.h"

/* Whether a body is near no surface, and nothing was added to its row. */
static bool has_plain_row(const carom_impacts_rows *rows, uint32_t slot, uint32_t surfaces) {
    if (rows->extra != NULL && rows->extra[slot] != CAROM_IMPACTS_NONE) {
        return false;
    }
    return surfaces == 0 || rows->start[slot] == rows->start[slot + 1] ||
           !carom_impacts_is_surface(rows->other[rows->start[slot]]);
}

/* The image of b that a may meet; CAROM_IMPACTS_NONE if there are several. */
static uint32_t only_image(const carom_impacts_rows *rows, uint32_t a, uint32_t b) {
    uint32_t image = CAROM_IMAGE_SELF;
    uint32_t found = 0;
    for (uint64_t at = rows->start[a]; at < rows->start[a + 1] && rows->image != NULL; at++) {
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
    carom_lone_pair pair = {root, &active[root->next], CAROM_IMPACTS_NONE};
    if (pair.b != root && &active[pair.b->next] == root && bodies->all_movable &&
        has_plain_row(window->rows, pair.a->slot, bodies->surfaces) &&
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

/* The two collide at t; `image` is k's, from i. Those that are held stay on their pieces. */
static void collide(const carom_window *window, carom_active *i, carom_active *k, uint32_t image, double t) {
    const carom_impacts_bodies *bodies = window->bodies;
    carom_impacts_worker *own = &window->worker[i->worker];
    carom_active *active[2] = {i, k};
    carom_piece piece[2] = {bodies->piece[i->slot], bodies->piece[k->slot]};
    const carom_response_side side[2] = {carom_impacts_side(bodies, i->slot, &piece[0]),
                                         carom_impacts_side(bodies, k->slot, &piece[1])};
    const bool moves[2] = {carom_response_moves(&bodies->rules, &side[0]),
                           carom_response_moves(&bodies->rules, &side[1])};
    const carom_pair_image shifted = carom_impacts_image(bodies, image);
    carom_impacts_event event = {.t = t, .i = side[0].number, .k = side[1].number};
    carom_impacts_edges(bodies, image, event.shift);
    event.impact = carom_respond_bodies(&bodies->rules, &side[0], &side[1], &shifted, t);
    own->failed = own->failed || !carom_list_append(window->memory, &own->event, &event, sizeof event);
    for (int n = 0; n < 2; n++) {
        if (moves[n]) {
            carom_paths_append(window, active[n], &piece[n]);
        }
    }
}

/* Two that have hit each other, and were not held, do not meet again. */
void carom_lone_pair_simulate(const carom_window *window, const carom_lone_pair *pair, uint32_t worker) {
    const carom_impacts_bodies *bodies = window->bodies;
    carom_active *a = pair->a;
    carom_active *b = pair->b;
    const bool first = bodies->number[a->slot] < bodies->number[b->slot];
    carom_active *i = first ? a : b;
    carom_active *k = first ? b : a;
    const uint32_t image = first ? pair->image : carom_image_opposite(pair->image);
    begin(window, a, worker);
    begin(window, b, worker);
    window->worker[worker].largest = window->worker[worker].largest < 2 ? 2 : window->worker[worker].largest;
    const double t =
        carom_impacts_predict(bodies, i->slot, &bodies->piece[i->slot], k->slot, &bodies->piece[k->slot], image);
    if (t < window->end) {
        collide(window, i, k, image, t);
    }
}
