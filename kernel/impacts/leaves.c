/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: hulls. Out: leaves of a tree. */
#include "kernel/impacts/leaves.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "kernel/impacts/images.h"

/* A hull that is more edges away stays where it is. Then no image of it is in reach, and who looks for others fails. */
static const double EDGES_MOST = 16384.0;

/* Edges that the middle of a hull may be outside the box while none is wrapped. */
static const double OUTSIDE = 0.5;

/* Slots that a worker takes at once. */
enum { GRAIN = 64 };

typedef struct pass {
    const carom_leaves *leaves;
    const carom_hulls *hulls;
    const carom_periodic *periodic; /* NULL: open space */
    const carom_team *team;
    uint64_t count;
    _Atomic bool *outside; /* a hull is far outside the box */
} pass;

static void middle_of(const carom_hull_box *hull, double x[3]) {
    for (int a = 0; a < 3; a++) {
        x[a] = 0.5 * ((double)hull->lo[a] + (double)hull->hi[a]);
    }
}

/* The middle of a hull in edges from the box's corner. Of an axis along which space is open, 0. */
static void place_of(const carom_leaves *leaves, const carom_hull_box *hull, double number[3]) {
    double x[3];
    middle_of(hull, x);
    for (int e = 0; e < 3; e++) {
        const double *dual = leaves->dual[e];
        number[e] = dual[0] * x[0] + dual[1] * x[1] + dual[2] * x[2];
    }
}

static bool is_outside(const double number[3]) {
    bool outside = false;
    for (int e = 0; e < 3; e++) {
        outside = outside || number[e] < -OUTSIDE || number[e] > 1.0 + OUTSIDE;
    }
    return outside;
}

/* By how many edges a hull is moved back. */
static void edges_of(const carom_leaves *leaves, const carom_hull_box *hull, int32_t edges[3]) {
    double number[3];
    place_of(leaves, hull, number);
    const bool moves = leaves->wraps || is_outside(number);
    for (int e = 0; e < 3; e++) {
        edges[e] = moves && fabs(number[e]) < EDGES_MOST ? (int32_t)floor(number[e]) : 0;
    }
}

static void look_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_walk walk = carom_team_walk(p->team, worker, p->count, GRAIN);
    bool outside = false;
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            double number[3];
            place_of(p->leaves, &p->hulls->box[slot], number);
            outside = outside || is_outside(number);
        }
    }
    if (outside) {
        atomic_store_explicit(p->outside, true, memory_order_relaxed);
    }
}

/* Sets whether hulls are wrapped. */
static void set_wrapping(carom_leaves *leaves, pass *p) {
    carom_images_dual(p->periodic, leaves->dual);
    carom_team_run_over(p->team, p->count, look_task, p);
    leaves->wraps = atomic_load_explicit(p->outside, memory_order_relaxed);
}

/* Where the middle of a slot's leaf is. */
static void position_of(const void *data, uint64_t slot, double x[3]) {
    const pass *p = data;
    const carom_hull_box *hull = &p->hulls->box[slot];
    middle_of(hull, x);
    if (p->periodic != NULL) {
        int32_t edges[3];
        double shift[3];
        edges_of(p->leaves, hull, edges);
        carom_image_shift(p->periodic->edge, edges, shift);
        for (int a = 0; a < 3; a++) {
            x[a] -= shift[a];
        }
    }
}

static void put(const carom_leaves *leaves, const carom_hulls *hulls, const carom_periodic *periodic, uint32_t slot) {
    carom_hull_box *leaf = &leaves->box[carom_leaves_of(leaves, slot)];
    const carom_box hull = carom_box_of(&hulls->box[slot]);
    if (periodic == NULL) {
        carom_box_put(leaf, &hull);
        return;
    }
    int32_t edges[3];
    edges_of(leaves, &hulls->box[slot], edges);
    for (int e = 0; e < 3; e++) {
        leaves->edges[slot].edge[e] = (int16_t)edges[e];
    }
    const carom_box moved = carom_images_move(&hull, periodic, edges);
    carom_box_put(leaf, &moved);
}

static void put_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_walk walk = carom_team_walk(p->team, worker, p->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            put(p->leaves, p->hulls, p->periodic, (uint32_t)slot);
        }
    }
}

void carom_leaves_take(carom_leaves *leaves, const carom_hulls *hulls) {
    leaves->box = hulls->box;
    leaves->slot = leaves->leaf = NULL;
}

/* Without memory for an order leaves are in that of slots. */
static void set_order(carom_leaves *leaves, carom_memory *memory, carom_context *context, const pass *p) {
    const carom_order_source source = {.count = p->count, .position = position_of, .bodies = p};
    const bool ordered =
        carom_order_is_mixed(&source) && carom_order_renew(&leaves->order, memory, context, &source) == CAROM_OK;
    leaves->slot = ordered ? leaves->order.number : NULL;
    leaves->leaf = ordered ? leaves->order.slot : NULL;
}

carom_status carom_leaves_make(carom_leaves *leaves, carom_memory *memory, carom_context *context,
                               const carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    _Atomic bool outside = false;
    pass p = {leaves, hulls, bodies->periodic, &context->team, bodies->count, &outside};
    if (bodies->periodic != NULL) {
        set_wrapping(leaves, &p);
    }
    set_order(leaves, memory, context, &p);
    if (bodies->periodic == NULL && leaves->slot == NULL) {
        carom_leaves_take(leaves, hulls);
        return CAROM_OK;
    }
    const uint64_t boxes = carom_tree_room(bodies->count) * sizeof(carom_hull_box);
    const uint64_t edges = bodies->periodic != NULL ? bodies->count * sizeof(carom_leaves_edges) : 0;
    if (carom_buffer_reserve(memory, &leaves->box_buffer, boxes) != CAROM_OK ||
        carom_buffer_reserve(memory, &leaves->edges_buffer, edges) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    leaves->box = leaves->box_buffer.data;
    leaves->edges = leaves->edges_buffer.data;
    carom_team_run_over(&context->team, bodies->count, put_task, &p);
    return CAROM_OK;
}

void carom_leaves_renew(const carom_leaves *leaves, const carom_hulls *hulls, const carom_impacts_bodies *bodies,
                        uint32_t slot) {
    if (!carom_leaves_are(leaves, hulls)) {
        put(leaves, hulls, bodies->periodic, slot);
    }
}

/* What b's hull was moved by is added, and what a's was is taken off. */
bool carom_leaves_image(const carom_leaves *leaves, uint32_t a, uint32_t b, const int32_t edges[3], uint32_t *code) {
    int32_t sum[3];
    bool near = true;
    for (int e = 0; e < 3; e++) {
        sum[e] = edges[e] + leaves->edges[a].edge[e] - leaves->edges[b].edge[e];
        near = near && abs(sum[e]) <= CAROM_IMAGE_MOST;
    }
    *code = near ? carom_image_code(sum[0], sum[1], sum[2]) : CAROM_IMAGE_SELF;
    return near;
}

void carom_leaves_release(carom_leaves *leaves, carom_memory *memory) {
    carom_order_release(&leaves->order, memory);
    carom_buffer_release(memory, &leaves->box_buffer);
    carom_buffer_release(memory, &leaves->edges_buffer);
}
