/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/event_queue.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* For each body, the first impact with a body of a higher index or with a surface. */
typedef struct first_impact {
    double t;
    uint32_t k;
    uint32_t image;
} first_impact;

typedef struct queue {
    queue_world *world;
    first_impact first[QUEUE_BODIES_MAX];
} queue;

uint32_t queue_add(queue_world *world, const double x[3], const double v[3], double radius, double mass,
                   double restitution) {
    assert(world->bodies < QUEUE_BODIES_MAX);
    const uint32_t i = world->bodies++;
    world->body[i] = (carom_response_body){radius, 1.0 / mass, restitution, -INFINITY};
    world->piece[i] = (carom_piece){{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, 0.0, CAROM_PIECE_FRESH, 0, 0};
    return i;
}

static carom_response_side side_of(queue_world *world, uint32_t i) {
    return (carom_response_side){&world->body[i], &world->piece[i], world->kept[i], i};
}

static carom_pair_image image_of(const queue_world *world, uint32_t code) {
    return world->lattice == NULL ? carom_image_of(world->periodic, code) : carom_shift_image(world->lattice, code);
}

static double time_of(queue_world *world, uint32_t i, uint32_t k, uint32_t code) {
    const carom_response_side side = side_of(world, i);
    if (k >= QUEUE_SURFACE) {
        return carom_response_predict_surface(&world->rules, &side, &world->surface[k - QUEUE_SURFACE], k);
    }
    const carom_response_side other = side_of(world, k);
    const carom_pair_image image = image_of(world, code);
    return carom_response_predict_bodies(&world->rules, &side, &other, &image);
}

static bool comes_before(const queue_world *world, first_impact a, first_impact b) {
    if (a.t != b.t || a.k != b.k) {
        return a.t < b.t || (a.t == b.t && a.k < b.k);
    }
    return world->lattice == NULL || a.image == b.image || b.image == UINT32_MAX
               ? a.image < b.image
               : carom_shift_precedes(world->lattice, a.image, b.image);
}

static void consider_image(queue *q, uint32_t i, uint32_t k, uint32_t code) {
    const first_impact impact = {time_of(q->world, i, k, code), k, code};
    q->first[i] = comes_before(q->world, impact, q->first[i]) ? impact : q->first[i];
}

static void consider(queue *q, uint32_t i, uint32_t k) {
    const carom_periodic *periodic = q->world->periodic;
    int32_t most[3] = {0, 0, 0};
    for (int e = 0; e < 3 && periodic != NULL && k < QUEUE_SURFACE; e++) {
        most[e] = periodic->along[e] ? q->world->images : 0;
    }
    for (int32_t a = -most[0]; a <= most[0]; a++) {
        for (int32_t b = -most[1]; b <= most[1]; b++) {
            for (int32_t c = -most[2]; c <= most[2]; c++) {
                consider_image(q, i, k, carom_image_code(a, b, c));
            }
        }
    }
}

static void find_first(queue *q, uint32_t i) {
    q->first[i] = (first_impact){INFINITY, UINT32_MAX, UINT32_MAX};
    for (uint32_t k = i + 1; k < q->world->bodies; k++) {
        consider(q, i, k);
    }
    for (uint32_t s = 0; s < q->world->surfaces; s++) {
        consider(q, i, QUEUE_SURFACE + s);
    }
}

/* Body `changed` has a new piece. */
static void update(queue *q, uint32_t changed) {
    find_first(q, changed);
    for (uint32_t i = 0; i < changed; i++) {
        if (q->first[i].k == changed) {
            find_first(q, i);
        } else {
            consider(q, i, changed);
        }
    }
}

static uint32_t body_of_next(const queue *q) {
    uint32_t next = 0;
    for (uint32_t i = 1; i < q->world->bodies; i++) {
        next = q->first[i].t < q->first[next].t ? i : next;
    }
    return next;
}

static void respond(queue_world *world, uint32_t i, first_impact first) {
    const carom_response_side side = side_of(world, i);
    queue_event event = {.t = first.t, .i = i, .k = first.k, .image = first.image};
    if (world->lattice == NULL) {
        carom_image_edges(first.image, event.shift);
    } else {
        carom_shift_edges(world->lattice, first.image, event.shift);
    }
    if (first.k >= QUEUE_SURFACE) {
        const carom_surface *surface = &world->surface[first.k - QUEUE_SURFACE];
        event.impact = carom_respond_surface(&world->rules, &side, surface, first.k, first.t);
    } else {
        const carom_response_side other = side_of(world, first.k);
        const carom_pair_image image = image_of(world, first.image);
        event.impact = carom_respond_bodies(&world->rules, &side, &other, &image, first.t);
    }
    world->impacts++;
    if (world->on_event != NULL) {
        world->on_event(world->user, &event);
    }
}

static void begin_next_step(queue_world *world, uint32_t i) {
    carom_piece *piece = &world->piece[i];
    const carom_response_side side = side_of(world, i);
    const bool held = piece->count > 0 && !carom_response_moves(&world->rules, &side);
    double x[3];
    carom_piece_at(piece, 1.0, x);
    if (piece->count > 0) {
        world->body[i].last_impact = piece->start;
    }
    world->body[i].last_impact -= 1.0;
    for (int a = 0; a < 3; a++) {
        piece->x[a] = x[a];
        piece->v[a] = held ? world->kept[i][a] : piece->v[a];
    }
    piece->start = 0.0;
    piece->last = CAROM_PIECE_FRESH;
    piece->count = 0;
}

void queue_step(queue_world *world) {
    static queue q; /* large */
    q.world = world;
    for (uint32_t i = 0; i < world->bodies; i++) {
        find_first(&q, i);
    }
    for (uint32_t i = body_of_next(&q); world->bodies > 0 && q.first[i].t < 1.0; i = body_of_next(&q)) {
        const first_impact first = q.first[i];
        respond(world, i, first);
        if (first.k < QUEUE_SURFACE) {
            update(&q, first.k);
        }
        update(&q, i);
    }
    for (uint32_t i = 0; i < world->bodies; i++) {
        begin_next_step(world, i);
    }
}

uint64_t queue_wrap(queue_world *world, bool *wrapped) {
    const carom_periodic *box = world->periodic;
    uint64_t crossed = 0;
    for (int e = 2; e >= 0 && box != NULL; e--) {
        for (uint32_t n = 0; n < world->bodies && box->along[e]; n++) {
            const double edges = floor(world->piece[n].x[e] / box->edge[e][e]);
            for (int a = 0; a < 3; a++) {
                world->piece[n].x[a] -= edges * box->edge[e][a];
            }
            crossed += edges != 0.0 ? 1 : 0;
            wrapped[n] = wrapped[n] || edges != 0.0;
        }
    }
    return crossed;
}
