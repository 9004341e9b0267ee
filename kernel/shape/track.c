/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a moving body and the number of one of its convex shapes. Out: what bounds that shape's motion, and its poses. */
#include "kernel/shape/track.h"

#include <math.h>
#include <string.h>

#include "simd/vector.h"

/* Rounding of a sum of lengths. */
static const double SUM_ERROR = 0x1p-50;

uint32_t carom_track_count(const carom_moving *body) {
    return body->shape->kind == CAROM_SHAPE_COMPOUND ? body->shape->child_count : 1;
}

static void set_start(carom_track *track) {
    if (track->child == NULL) {
        carom_pose_turn(track->body->turn, track->swing.start);
        memset(track->swing.arm, 0, sizeof track->swing.arm);
    } else {
        double whole[3][3];
        double own[3][3];
        carom_pose_turn(track->body->turn, whole);
        carom_pose_turn(track->child->turn, own);
        carom_motion_multiply((const double(*)[3])whole, (const double(*)[3])own, track->swing.start);
        carom_pose_from_local((const double(*)[3])whole, track->child->at, track->swing.arm);
    }
}

void carom_track_measure(carom_track *track) {
    if (track->swing.angle > 0.0) {
        carom_posed posed;
        carom_track_pose(track, 0.0, &posed);
        track->swing.around = carom_revolution_around(&posed, track->swing.axis);
    }
}

static void set_bounds(carom_track *track) {
    const carom_shape_kind kind = track->swing.shape->kind;
    const bool unbounded = kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
    track->swing.turns = unbounded ? 0.0 : 1.0;
    const double offset = track->child != NULL ? carom_vector_length(track->child->at) : 0.0;
    track->swing.core_reach = unbounded ? 0.0 : (offset + track->swing.shape->core_reach) * (1.0 + SUM_ERROR);
    track->reach = unbounded ? 0.0 : (offset + track->swing.shape->reach) * (1.0 + SUM_ERROR);
    /* A point at the origin does not notice rotations. */
    track->swing.angle = track->swing.core_reach > 0.0 ? track->swing.angle : 0.0;
    track->error = carom_motion_error(track->swing.angle, track->swing.core_reach);
    track->error += track->child != NULL ? CAROM_CHILD_ERROR * track->swing.core_reach : 0.0;
    track->swing.around = track->swing.angle > 0.0 ? track->swing.core_reach : 0.0;
    if (track->swing.angle > CAROM_TRACK_FAST) {
        carom_track_measure(track);
    }
}

void carom_track_make(const carom_moving *body, uint32_t number, carom_track *track) {
    const carom_shape_entry *shape = body->shape;
    track->body = body;
    track->child = shape->kind == CAROM_SHAPE_COMPOUND ? &shape->child[number] : NULL;
    track->swing.shape = track->child != NULL ? &shape->table[track->child->shape] : shape;
    track->swing.angle = carom_motion_angle(body, track->swing.axis);
    memcpy(track->swing.extent, track->swing.shape->extent, sizeof track->swing.extent);
    track->swing.unused = 0.0;
    track->swing.radius = track->swing.shape->radius;
    set_start(track);
    set_bounds(track);
}

void carom_track_pose(const carom_track *track, double t, carom_posed *posed) {
    const double angle = t * track->swing.angle;
    double way[3][3];
    posed->shape = track->swing.shape;
    if (!(angle > 0.0)) {
        memcpy(posed->turn, track->swing.start, sizeof posed->turn);
        memcpy(posed->at, track->swing.arm, sizeof posed->at);
        return;
    }
    carom_motion_matrix(track->swing.axis, angle, way);
    carom_motion_multiply((const double(*)[3])way, (const double(*)[3])track->swing.start, posed->turn);
    carom_pose_from_local((const double(*)[3])way, track->swing.arm, posed->at);
}
