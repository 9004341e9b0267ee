/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a shape at a pose, or its motion. Out: a box that holds it.
 *
 * At a pose: row d of the rotation is the direction of axis d in the shape's frame, and the greatest coordinate is the
 * support function in that direction. An entry of the matrix is off by 2^-50, a direction so by less than 2^-49, the
 * three products and sums of a support by less than 2^-51 of the reach, and adding the position by 2^-53 of the sum:
 * together less than half of CAROM_BOX_ERROR of reach and position. That much is added, twice.
 *
 * In a step: a point of the body has x(t) = at + t move + R(t) s, whose second derivative along axis d is at most
 * K_d = |spin|^2 a_d rho, with rho the shape's greatest distance from the axis of the spin and a_d the length of axis
 * d's part at right angles to it. Between t and t + tau its coordinate so differs from the straight line between the
 * ends by at most K_d tau^2 / 8. So the boxes at the ends of m equal pieces, grown by K_d / (8 m^2), hold the shape;
 * the more pieces, the tighter. The shape also lies in the cylinder that it sweeps out in a whole turn, which only
 * moves in a straight line. Each box holds the shape, so their intersection does. */
#include "kernel/shape/box.h"

#include <math.h>
#include <stdbool.h>

#include "kernel/shape/track.h"
#include "simd/compare.h"
#include "simd/ref/support.h"
#include "simd/vector.h"

/* Radians of one piece of a step. Boxes of pieces are grown by an 8th of its square, 1/31, of the shape's distance from
 * the axis. */
static const double PIECE = 0.51;

/* The cylinder of a whole turn gains nothing before a quarter of it, pieces from there on. */
static const double QUARTER_TURN = 1.5707963267948966;
static const double WHOLE_TURN = 6.2831853071795865;

/* Rounding of how much a box is grown. */
static const double GROWTH_ERROR = 0x1p-48;

/* Rounding of a child's position, relative to that of the body. */
static const double POSITION_ERROR = 0x1p-52;

static void set_all(carom_shape_box *box, double lo, double hi) {
    for (int d = 0; d < 3; d++) {
        box->lo[d] = lo;
        box->hi[d] = hi;
    }
}

static void unite(carom_shape_box *box, const carom_shape_box *other) {
    for (int d = 0; d < 3; d++) {
        box->lo[d] = carom_lesser(box->lo[d], other->lo[d]);
        box->hi[d] = carom_greater(box->hi[d], other->hi[d]);
    }
}

static bool is_infinite(carom_shape_kind kind) {
    return kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
}

/* The core's extents along a direction of its own frame. */
static void extents(const carom_shape_entry *shape, const double row[3], double *least, double *most) {
    double s[3];
    if (shape->kind == CAROM_SHAPE_SPHERE) {
        *least = 0.0;
        *most = 0.0;
        return;
    }
    carom_support_local(shape, row, s);
    *most = carom_vector_dot(row, s);
    *least = -*most;
    if (shape->kind == CAROM_SHAPE_HULL || shape->kind == CAROM_SHAPE_CONE) {
        const double back[3] = {-row[0], -row[1], -row[2]};
        carom_support_local(shape, back, s);
        *least = carom_vector_dot(row, s);
    }
}

/* The shape's extents along the axes from its position, without rounding. */
static void convex_extents(const carom_posed *posed, carom_shape_box *extent) {
    const carom_shape_entry *shape = posed->shape;
    for (int d = 0; d < 3; d++) {
        extents(shape, posed->turn[d], &extent->lo[d], &extent->hi[d]);
        extent->lo[d] -= shape->radius;
        extent->hi[d] += shape->radius;
    }
}

/* The box of extents about a position, grown by `more` beside the rounding. */
static void place(const carom_shape_box *extent, const double at[3], double reach, double more, carom_shape_box *box) {
    for (int d = 0; d < 3; d++) {
        const double error = 0.5 * CAROM_BOX_ERROR * (reach + fabs(at[d])) + more;
        box->lo[d] = at[d] + extent->lo[d] - error;
        box->hi[d] = at[d] + extent->hi[d] + error;
    }
}

static void convex_box(const carom_posed *posed, double more, carom_shape_box *box) {
    carom_shape_box extent;
    convex_extents(posed, &extent);
    place(&extent, posed->at, posed->shape->reach, more, box);
}

static void child_posed(const carom_posed *whole, const carom_shape_child *child, carom_posed *part) {
    double turn[3][3];
    carom_pose_turn(child->turn, turn);
    carom_pose_from_local(whole->turn, child->at, part->at);
    carom_vector_add(part->at, 1.0, whole->at, part->at);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const double column[3] = {turn[0][c], turn[1][c], turn[2][c]};
            part->turn[r][c] = carom_vector_dot(whole->turn[r], column);
        }
    }
    part->shape = &whole->shape->table[child->shape];
}

void carom_box_at(const carom_posed *posed, carom_shape_box *box) {
    if (is_infinite(posed->shape->kind)) {
        set_all(box, -HUGE_VAL, HUGE_VAL);
        return;
    }
    if (posed->shape->kind != CAROM_SHAPE_COMPOUND) {
        convex_box(posed, 0.0, box);
        return;
    }
    set_all(box, HUGE_VAL, -HUGE_VAL);
    for (uint32_t n = 0; n < posed->shape->child_count; n++) {
        carom_posed part;
        carom_shape_box one;
        child_posed(posed, &posed->shape->child[n], &part);
        /* The product of two matrices, and the child's place. */
        convex_box(&part, CAROM_BOX_ERROR * posed->shape->reach + POSITION_ERROR * carom_vector_length(posed->at),
                   &one);
        unite(box, &one);
    }
}

/* How far rounding may put a shape from its path, beside what its position's size tells. */
static double path_error(const carom_track *track) {
    const carom_moving *body = track->body;
    double sum = 0.0;
    for (int d = 0; d < 3; d++) {
        sum += fabs(body->at[d]) + fabs(body->move[d]);
    }
    return track->error + CAROM_MOTION_SHIFT * sum;
}

static uint32_t count_pieces(double angle) {
    return angle < WHOLE_TURN ? (uint32_t)(angle / PIECE) + 1 : 1;
}

/* The length of axis d's part at right angles to the spin's axis, rounded up. */
static double across(const carom_track *track, int d) {
    const double other = track->swing.axis[(d + 1) % 3];
    const double third = track->swing.axis[(d + 2) % 3];
    return carom_lesser(1.0, sqrt(other * other + third * third) + GROWTH_ERROR);
}

/* Adds the box at t. */
static void add_end(const carom_track *track, const carom_posed *posed, const carom_shape_box *extent, double t,
                    carom_shape_box *box) {
    const carom_moving *body = track->body;
    double at[3];
    carom_shape_box end;
    for (int d = 0; d < 3; d++) {
        at[d] = posed->at[d] + (body->at[d] + t * body->move[d]);
    }
    place(extent, at, track->swing.shape->reach, path_error(track), &end);
    unite(box, &end);
}

/* The union of the boxes at both ends of each piece. */
static void ends_box(const carom_track *track, uint32_t pieces, carom_shape_box *box) {
    carom_posed posed;
    carom_shape_box extent;
    set_all(box, HUGE_VAL, -HUGE_VAL);
    for (uint32_t n = 0; n <= pieces; n++) {
        const double t = n < pieces ? (double)n / (double)pieces : 1.0;
        if (n == 0 || track->swing.angle > 0.0) {
            carom_track_pose(track, t, &posed);
            convex_extents(&posed, &extent);
        }
        add_end(track, &posed, &extent, t, box);
    }
}

/* That, grown by what the shape leaves straight lines by. */
static void pieces_box(const carom_track *track, carom_shape_box *box) {
    const uint32_t pieces = count_pieces(track->swing.angle);
    ends_box(track, pieces, box);
    const double piece = track->swing.angle / (double)pieces;
    const double bend = 0.125 * piece * piece * track->swing.around * (1.0 + GROWTH_ERROR);
    for (int d = 0; d < 3 && bend > 0.0; d++) {
        box->lo[d] -= bend * across(track, d);
        box->hi[d] += bend * across(track, d);
    }
}

/* The box of the cylinder that the shape sweeps out in a whole turn about the moving axis. */
static void turned_box(const carom_track *track, carom_shape_box *box) {
    const carom_moving *body = track->body;
    const double radius = track->swing.shape->radius;
    const double error = path_error(track);
    carom_posed start;
    double along[2];
    carom_track_pose(track, 0.0, &start);
    carom_revolution_along(&start, track->swing.axis, along);
    for (int d = 0; d < 3; d++) {
        const double first = track->swing.axis[d] * along[0];
        const double last = track->swing.axis[d] * along[1];
        const double round = across(track, d) * track->swing.around + radius;
        const double from = body->at[d];
        const double to = body->at[d] + body->move[d];
        const double more = round + error + 0.5 * CAROM_BOX_ERROR * (track->reach + carom_greater(fabs(from), fabs(to)));
        box->lo[d] = carom_lesser(from, to) + carom_lesser(first, last) - more;
        box->hi[d] = carom_greater(from, to) + carom_greater(first, last) + more;
    }
}

static void track_box(const carom_track *track, carom_shape_box *box) {
    if (track->swing.angle < QUARTER_TURN) {
        pieces_box(track, box);
        return;
    }
    carom_shape_box turned;
    turned_box(track, &turned);
    if (!(track->swing.angle < WHOLE_TURN)) {
        *box = turned;
        return;
    }
    pieces_box(track, box);
    for (int d = 0; d < 3; d++) {
        box->lo[d] = carom_greater(box->lo[d], turned.lo[d]);
        box->hi[d] = carom_lesser(box->hi[d], turned.hi[d]);
    }
}

void carom_box_swept(const carom_moving *moving, carom_shape_box *box) {
    set_all(box, HUGE_VAL, -HUGE_VAL);
    for (uint32_t n = 0; n < carom_track_count(moving); n++) {
        carom_track track;
        carom_shape_box one;
        carom_track_make(moving, n, &track);
        carom_track_measure(&track);
        if (is_infinite(track.swing.shape->kind)) {
            set_all(box, -HUGE_VAL, HUGE_VAL);
            return;
        }
        track_box(&track, &one);
        unite(box, &one);
    }
}
