/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two shapes that move and spin. Out: the same with a cylinder in the place of each that spins fast. */
#include "kernel/narrow/envelope.h"

#include <math.h>

#include "simd/vector.h"

/* The cylinder's sizes and place are rounded: it is this much larger, relative to the shape's reach. */
static const double SIZE_ERROR = 0x1p-46;

static bool is_fast(const carom_track *track, double span) {
    return track->swing.angle * span > CAROM_ENVELOPE_TURN && track->swing.around > 0.0;
}

/* The cylinder in its own frame: about the z axis, its middle at the origin. */
static void set_cylinder(const carom_track *track, const double along[2], carom_shape_entry *cylinder) {
    const double more = SIZE_ERROR * track->reach;
    const double around = track->swing.around + more;
    const double half = 0.5 * (along[1] - along[0]) + more;
    *cylinder =
        (carom_shape_entry){.kind = CAROM_SHAPE_CYLINDER, .dimensions = 3, .radius = track->swing.shape->radius};
    cylinder->extent[0] = around;
    cylinder->extent[1] = around;
    cylinder->extent[2] = half;
    cylinder->core_reach = sqrt(around * around + half * half) * (1.0 + SIZE_ERROR);
    cylinder->reach = (cylinder->core_reach + cylinder->radius) * (1.0 + SIZE_ERROR);
    for (int d = 0; d < 3; d++) {
        cylinder->hi[d] = cylinder->reach;
        cylinder->lo[d] = -cylinder->reach;
    }
}

/* The cylinder moves as the body's origin does, and lies along the axis: its rotation takes z there, or opposite, where
 * it is the same. */
static void set_body(const carom_track *track, const double along[2], carom_moving *body) {
    const double side = track->swing.axis[2] < 0.0 ? -1.0 : 1.0;
    const double turn[4] = {-side * track->swing.axis[1], side * track->swing.axis[0], 0.0,
                            1.0 + side * track->swing.axis[2]};
    carom_vector_add(track->body->at, 0.5 * (along[0] + along[1]), track->swing.axis, body->at);
    for (int d = 0; d < 4; d++) {
        body->turn[d] = turn[d];
    }
    for (int d = 0; d < 3; d++) {
        body->move[d] = track->body->move[d];
        body->spin[d] = 0.0;
    }
}

static void set_track(const carom_track *from, double span, carom_envelope *envelope, int side, carom_track *track) {
    *track = *from;
    if (is_fast(from, span)) {
        carom_posed start;
        double along[2];
        carom_track_pose(from, 0.0, &start);
        carom_revolution_along(&start, from->swing.axis, along);
        set_cylinder(from, along, &envelope->cylinder[side]);
        set_body(from, along, &envelope->body[side]);
        envelope->body[side].shape = &envelope->cylinder[side];
        carom_track_make(&envelope->body[side], 0, track);
    }
}

bool carom_envelope_make(const carom_approach *pair, double span, double margin, carom_envelope *envelope) {
    if (pair->i.swing.shape->kind == CAROM_SHAPE_LINE || pair->k.swing.shape->kind == CAROM_SHAPE_LINE) {
        return false;
    }
    if (!is_fast(&pair->i, span) && !is_fast(&pair->k, span)) {
        return false;
    }
    set_track(&pair->i, span, envelope, 0, &envelope->pair.i);
    set_track(&pair->k, span, envelope, 1, &envelope->pair.k);
    carom_approach_set(&envelope->pair, margin);
    return true;
}
