/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a caller's arrays or structs. Out: one body's numbers in double. What is not given gets its default. */
#include "kernel/narrow/gather_tmpl.h"

#include "kernel/shape/table.h"
#include "simd/layout.h"
#include "simd/vector.h"

static void gather(const carom_real *const *from, uint64_t stride, uint64_t n, int count, double *to) {
    for (int a = 0; a < count; a++) {
        to[a] = (double)carom_layout_value(from[a], stride, n);
    }
}

/* The quaternion of no rotation. */
static void set_unturned(double turn[4]) {
    turn[0] = 0.0;
    turn[1] = 0.0;
    turn[2] = 0.0;
    turn[3] = 1.0;
}

uint32_t carom_gather_shape(const carom_bodies *bodies, uint64_t n) {
    const uint64_t bytes = bodies->shape_stride != 0 ? bodies->shape_stride : sizeof *bodies->shape;
    return bodies->shape == NULL
               ? 0
               : *(const uint32_t *)(const void *)((const char *)(const void *)bodies->shape + n * bytes);
}

uint32_t carom_gather_kind(const carom_bodies *bodies, uint32_t body) {
    const uint64_t shape = body < bodies->count ? carom_gather_shape(bodies, body) : UINT64_MAX;
    return shape < bodies->shapes->count ? bodies->shapes->kind[shape] : CAROM_SHAPE_COMPOUND;
}

static void gather_turn(const carom_bodies *bodies, uint64_t n, double turn[4]) {
    if (bodies->prev_turn[0] != NULL) {
        gather(bodies->prev_turn, bodies->prev_turn_stride, n, 4, turn);
    } else {
        set_unturned(turn);
    }
}

/* Bodies that do not say how they turn do not turn. */
static void gather_motion(const carom_bodies *bodies, uint64_t n, carom_body_numbers *body) {
    const bool shaped = bodies->shapes != NULL;
    gather(bodies->curr, bodies->curr_stride, n, 3, body->end);
    carom_vector_add(body->end, -1.0, body->at, body->move);
    body->turning = CAROM_BODY_TURNS_ALONG;
    if (shaped && bodies->curr_turn[0] != NULL) {
        gather(bodies->curr_turn, bodies->curr_turn_stride, n, 4, body->end_turn);
        body->turning = CAROM_BODY_TURNS_TO;
    } else if (shaped && bodies->spin[0] != NULL) {
        gather(bodies->spin, bodies->spin_stride, n, 3, body->spin);
    } else {
        body->spin[0] = 0.0;
        body->spin[1] = 0.0;
        body->spin[2] = 0.0;
    }
}

static inline __attribute__((always_inline)) void fetch(const carom_real *const *from, uint64_t stride, uint64_t n,
                                                        int count) {
    for (int a = 0; a < count; a++) {
        __builtin_prefetch(carom_layout_at(from[a], stride, n));
    }
}

void carom_gather_fetch(const carom_bodies *bodies, uint64_t n) {
    fetch(bodies->prev, bodies->prev_stride, n, 3);
    if (bodies->shapes != NULL && bodies->prev_turn[0] != NULL) {
        fetch(bodies->prev_turn, bodies->prev_turn_stride, n, 4);
    }
}

void carom_gather_body(const carom_bodies *bodies, uint64_t n, bool moving, carom_body_numbers *body) {
    body->turning = CAROM_BODY_RESTS;
    gather(bodies->prev, bodies->prev_stride, n, 3, body->at);
    if (bodies->shapes != NULL) {
        body->shape = carom_gather_shape(bodies, n);
        gather_turn(bodies, n, body->turn);
    } else {
        body->radius = (double)carom_layout_radius(bodies, n);
        set_unturned(body->turn);
    }
    if (moving) {
        gather_motion(bodies, n, body);
    }
}

void carom_gather_pose(const carom_pose *pose, carom_body_numbers *body) {
    bool turned = false;
    body->shape = pose->shape;
    body->turning = CAROM_BODY_RESTS;
    for (int a = 0; a < 3; a++) {
        body->at[a] = (double)pose->at[a];
    }
    for (int a = 0; a < 4; a++) {
        body->turn[a] = (double)pose->turn[a];
        turned = turned || !(pose->turn[a] == 0);
    }
    if (!turned) {
        set_unturned(body->turn);
    }
}

void carom_gather_sweep(const carom_sweep *sweep, carom_body_numbers *body) {
    body->turning = CAROM_BODY_TURNS_ALONG;
    for (int a = 0; a < 3; a++) {
        body->end[a] = sweep != NULL ? (double)sweep->move[a] : 0.0;
        body->move[a] = body->end[a];
        body->spin[a] = sweep != NULL ? (double)sweep->spin[a] : 0.0;
    }
}
