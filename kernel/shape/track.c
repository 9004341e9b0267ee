/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a moving body and the number of one of its convex shapes. Out: what bounds that shape's motion, and its poses. */
#include "kernel/shape/track.h"

#include <math.h>

#include "simd/vector.h"

/* Rounding of a sum of lengths. */
static const double SUM_ERROR = 0x1p-50;

uint32_t carom_track_count(const carom_moving *body) {
    return body->shape->kind == CAROM_SHAPE_COMPOUND ? body->shape->child_count : 1;
}

static void set_bounds(carom_track *track) {
    const carom_shape_kind kind = track->shape->kind;
    const bool unbounded = kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
    const double offset = track->child != NULL ? carom_vector_length(track->child->at) : 0.0;
    track->core_reach = unbounded ? 0.0 : (offset + track->shape->core_reach) * (1.0 + SUM_ERROR);
    track->reach = unbounded ? 0.0 : (offset + track->shape->reach) * (1.0 + SUM_ERROR);
    track->error = carom_motion_error(track->body, track->core_reach);
    track->error += track->child != NULL ? CAROM_CHILD_ERROR * track->core_reach : 0.0;
    track->spread = (carom_spread){0.0, {0.0, 0.0}};
    if (track->angle > 0.0 && !unbounded) {
        carom_posed posed;
        carom_track_pose(track, 0.0, &posed);
        track->spread = carom_spread_about(&posed, track->axis);
    }
}

void carom_track_make(const carom_moving *body, uint32_t number, carom_track *track) {
    const carom_shape_entry *shape = body->shape;
    track->body = body;
    track->child = shape->kind == CAROM_SHAPE_COMPOUND ? &shape->child[number] : NULL;
    track->shape = track->child != NULL ? &shape->table[track->child->shape] : shape;
    track->angle = carom_motion_angle(body, track->axis);
    set_bounds(track);
}

void carom_track_pose(const carom_track *track, double t, carom_posed *posed) {
    double turn[4];
    carom_motion_turn(track->body, t, turn);
    carom_pose_turn(turn, posed->turn);
    posed->shape = track->shape;
    for (int d = 0; d < 3; d++) {
        posed->at[d] = 0.0;
    }
    if (track->child != NULL) {
        double both[4];
        carom_pose_from_local(posed->turn, track->child->at, posed->at);
        carom_motion_multiply(turn, track->child->turn, both);
        carom_pose_turn(both, posed->turn);
    }
}
