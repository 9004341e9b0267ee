/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what a caller says of two bodies. Out: their time of impact. The search works relative to body k's position at
 * the start of the step. */
#include "kernel/narrow/moving.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "simd/vector.h"

/* A speed of less than this part of those that it is made of counts as 0: what should be 0 is often no more than the
 * rounding of its sum, some 2^-50, as of a ball that spins where it touches. */
static const double SPEED_ROUNDING = 0x1p-44;

void carom_moving_set(const carom_body_numbers *body, const carom_shape_entry *shape, const double origin[3],
                      carom_moving *moving) {
    moving->shape = shape;
    carom_vector_add(body->at, -1.0, origin, moving->at);
    memcpy(moving->move, body->move, sizeof moving->move);
    memcpy(moving->turn, body->turn, sizeof moving->turn);
    if (body->turning == CAROM_BODY_TURNS_TO) {
        carom_motion_spin(body->turn, body->end_turn, moving->spin);
    } else {
        memcpy(moving->spin, body->spin, sizeof moving->spin);
    }
}

static bool is_finite(const double v[3]) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* Whether the difference of positions or ways is beyond the largest number. */
static bool overflows(const carom_moving *i, const carom_moving *k) {
    double between[3];
    double towards[3];
    carom_vector_add(i->at, -1.0, k->at, between);
    carom_vector_add(i->move, -1.0, k->move, towards);
    return !is_finite(i->at) || !is_finite(i->move) || !is_finite(k->move) || !is_finite(between) ||
           !is_finite(towards);
}

/* Of such bodies nothing is known. */
static void give_up(const carom_body_numbers *i, const carom_body_numbers *k, carom_toi_found *found) {
    *found = (carom_toi_found){.state = CAROM_TOI_CAPPED, .iterations = 1, .gap = DBL_MAX, .normal = {1.0, 0.0, 0.0}};
    memcpy(found->point_i, i->at, sizeof i->at);
    memcpy(found->point_k, k->at, sizeof k->at);
}

bool carom_moving_pair(const carom_body_numbers *i, const carom_shape_entry *shape_i, const carom_body_numbers *k,
                       const carom_shape_entry *shape_k, carom_moving moving[2], carom_toi_found *found) {
    carom_moving_set(i, shape_i, k->at, &moving[0]);
    carom_moving_set(k, shape_k, k->at, &moving[1]);
    if (overflows(&moving[0], &moving[1])) {
        give_up(i, k, found);
        return false;
    }
    return true;
}

static bool is_lost(const carom_moving *moving) {
    double axis[3];
    return !(carom_motion_angle(moving, axis) < HUGE_VAL);
}

/* Adds how fast the body's rotation moves an arm, `sign` times. */
static void add_turning(const carom_moving *moving, const double arm[3], double sign, double velocity[3]) {
    double turning[3];
    carom_vector_cross(moving->spin, arm, turning);
    carom_vector_add(velocity, sign, turning, velocity);
}

bool carom_moving_approaches(const carom_moving moving[2], const carom_toi_found *found) {
    const carom_moving *i = &moving[0];
    const carom_moving *k = &moving[1];
    double between[3];
    double arm_i[3];
    double arm_k[3];
    double velocity[3];
    if (found->state == CAROM_TOI_CAPPED || found->t > 0.0 || is_lost(i) || is_lost(k)) {
        return true;
    }
    carom_vector_add(i->at, -1.0, k->at, between);
    carom_vector_add(found->point_i, -1.0, i->at, arm_i);
    carom_vector_add(found->point_k, -1.0, k->at, arm_k);
    carom_vector_add(i->move, -1.0, k->move, velocity);
    const double reach = carom_vector_length(between) + carom_vector_length(arm_i) + carom_vector_length(arm_k);
    const double spins = carom_vector_length(i->spin) + carom_vector_length(k->spin);
    const double speeds = carom_vector_length(velocity) + spins * reach;
    add_turning(i, arm_i, 1.0, velocity);
    add_turning(k, arm_k, -1.0, velocity);
    return carom_vector_dot(found->normal, velocity) < -SPEED_ROUNDING * speeds;
}

void carom_moving_place(const carom_body_numbers *k, carom_toi_found *found) {
    carom_vector_add(found->point_i, 1.0, k->at, found->point_i);
    carom_vector_add(found->point_k, 1.0, k->at, found->point_k);
}

void carom_moving_find(const carom_body_numbers *i, const carom_shape_entry *shape_i, const carom_body_numbers *k,
                       const carom_shape_entry *shape_k, const carom_toi_task *task, carom_toi_found *found) {
    carom_moving moving[2];
    if (carom_moving_pair(i, shape_i, k, shape_k, moving, found)) {
        carom_toi_find(&moving[0], &moving[1], task, found);
        carom_moving_place(k, found);
    }
}
