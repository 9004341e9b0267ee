/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a moving body and the number of one of its convex shapes. Out: what bounds that shape's motion, and its poses. */
#include "kernel/shape/track.h"

#include <math.h>
#include <string.h>

#include "simd/ref/support.h"
#include "simd/vector.h"

/* Rounding of a sum of lengths. */
static const double SUM_ERROR = 0x1p-50;

uint32_t carom_track_count(const carom_moving *body) {
    return body->shape->kind == CAROM_SHAPE_COMPOUND ? body->shape->child_count : 1;
}

static void set_start(carom_track *track) {
    if (track->child == NULL) {
        carom_pose_turn(track->body->turn, track->start);
        memset(track->arm, 0, sizeof track->arm);
    } else {
        double whole[3][3];
        double own[3][3];
        carom_pose_turn(track->body->turn, whole);
        carom_pose_turn(track->child->turn, own);
        carom_motion_multiply((const double(*)[3])whole, (const double(*)[3])own, track->start);
        carom_pose_from_local((const double(*)[3])whole, track->child->at, track->arm);
    }
}

static void set_bounds(carom_track *track) {
    const carom_shape_kind kind = track->shape->kind;
    const bool unbounded = kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
    const double offset = track->child != NULL ? carom_vector_length(track->child->at) : 0.0;
    track->core_reach = unbounded ? 0.0 : (offset + track->shape->core_reach) * (1.0 + SUM_ERROR);
    track->reach = unbounded ? 0.0 : (offset + track->shape->reach) * (1.0 + SUM_ERROR);
    /* A point at the origin does not notice rotations. */
    track->angle = track->core_reach > 0.0 ? track->angle : 0.0;
    track->error = carom_motion_error(track->angle, track->core_reach);
    track->error += track->child != NULL ? CAROM_CHILD_ERROR * track->core_reach : 0.0;
    track->around = 0.0;
    if (track->angle > 0.0 && !unbounded) {
        carom_posed posed;
        carom_track_pose(track, 0.0, &posed);
        track->around = carom_revolution_around(&posed, track->axis);
    }
}

void carom_track_make(const carom_moving *body, uint32_t number, carom_track *track) {
    const carom_shape_entry *shape = body->shape;
    track->body = body;
    track->child = shape->kind == CAROM_SHAPE_COMPOUND ? &shape->child[number] : NULL;
    track->shape = track->child != NULL ? &shape->table[track->child->shape] : shape;
    track->angle = carom_motion_angle(body, track->axis);
    set_start(track);
    set_bounds(track);
}

void carom_track_pose(const carom_track *track, double t, carom_posed *posed) {
    const double angle = t * track->angle;
    double way[3][3];
    posed->shape = track->shape;
    if (!(angle > 0.0)) {
        memcpy(posed->turn, track->start, sizeof posed->turn);
        memcpy(posed->at, track->arm, sizeof posed->at);
        return;
    }
    carom_motion_matrix(track->axis, angle, way);
    carom_motion_multiply((const double(*)[3])way, (const double(*)[3])track->start, posed->turn);
    carom_pose_from_local((const double(*)[3])way, track->arm, posed->at);
}

double carom_track_support(const carom_track *track, double t, const double n[3]) {
    const carom_shape_kind kind = track->shape->kind;
    const double angle = t * track->angle;
    double back[3] = {n[0], n[1], n[2]};
    double local[3];
    double s[3];
    if (angle > 0.0) {
        carom_motion_rotate(track->axis, -angle, n, back);
    }
    const double arm = carom_vector_dot(back, track->arm);
    if (kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE) {
        return arm;
    }
    carom_pose_to_local((const double(*)[3])track->start, back, local);
    carom_support_local(track->shape, local, s);
    return arm + carom_vector_dot(local, s);
}
