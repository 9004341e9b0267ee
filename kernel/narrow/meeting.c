/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a compound's balls, and a shape. Out: the children whose bounding spheres may touch the shape's.
 *
 * carom_approach_spheres lets a child's origin go straight from where it begins to where it ends, and grows its sphere
 * by as much as its arc leaves that line. At t the straight ways are those of the map (1 - t) R(0) + t R(1), which
 * makes no distance of two points greater. So a child that is within r of a ball's centre stays within r of the
 * centre's straight way. Where spins are fast the spheres about the bodies' origins are the smaller ones, so both are
 * tried. */
#include "kernel/narrow/meeting.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "simd/vector.h"

/* The quadratic equations of carom_approach_spheres find a touch where the square of a distance is greater than that of
 * the radii by this, relative to the square of the sizes; see there: 2^-46, and what its coefficients round by. */
static const double SQUARE_ERROR = 0x1p-40;

/* More than what is computed here is off by, relative to the sizes. */
static const double ROUNDING = 0x1p-40;

/* Sizes whose squares, with all rounding, are within the range of doubles. */
static const double SIZES_LEAST = 0x1p-200;
static const double SIZES_MOST = 0x1p200;

/* Ways of children, what they bend and roundings, in reaches of both bodies. */
static const double REACHES = 10.0;

/* A shape as it passes a compound, in the compound's frame at t = 0. */
typedef struct passing {
    const carom_meeting *meeting;
    double p[3]; /* the centre of its sphere */
    double u[3]; /* its straight way */
    double end;
    double within; /* its radius, and all that makes spheres touch earlier */
    double bend;   /* how far a child of the compound leaves its straight way, relative to its distance */
    double apart;  /* children that reach no farther from the compound's origin are never met */
} passing;

static double sum_of_sides(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* As carom_approach_spheres has it. */
static double bend_of(const carom_moving *body) {
    double axis[3];
    const double angle = carom_motion_angle(body, axis);
    return fmin(0.125 * angle * angle, 2.0);
}

static double error_of(const carom_moving *body) {
    double axis[3];
    const double angle = carom_motion_angle(body, axis);
    return carom_motion_error(angle, body->shape->reach) + CAROM_CHILD_ERROR * body->shape->reach;
}

/* The least square of a distance from the origin on the way from p to p + end u. */
static double least_square(const double p[3], const double u[3], double end) {
    const double a = carom_vector_dot(u, u);
    const double t = a > 0.0 ? fmin(fmax(-carom_vector_dot(p, u) / a, 0.0), end) : 0.0;
    double nearest[3];
    carom_vector_add(p, t, u, nearest);
    return carom_vector_dot(nearest, nearest);
}

void carom_meeting_make(const carom_moving *whole, const carom_moving *other, double margin, carom_meeting *meeting) {
    double axis[3];
    double turning[3][3];
    double end[3][3];
    const double angle = carom_motion_angle(whole, axis);
    CAROM_ASSERT(whole->shape->balls != NULL);
    meeting->whole = whole;
    meeting->other = other;
    meeting->margin = margin;
    carom_pose_turn(whole->turn, meeting->start);
    carom_motion_matrix(axis, angle, turning);
    carom_motion_multiply((const double(*)[3])turning, (const double(*)[3])meeting->start, end);
    for (int c = 0; c < 3; c++) {
        const double column[3] = {end[0][c], end[1][c], end[2][c]};
        double local[3];
        carom_pose_to_local((const double(*)[3])meeting->start, column, local);
        for (int r = 0; r < 3; r++) {
            meeting->way[r][c] = angle > 0.0 ? local[r] - (r == c ? 1.0 : 0.0) : 0.0;
        }
    }
    meeting->sizes = sum_of_sides(whole->at) + sum_of_sides(whole->move) + sum_of_sides(other->at) +
                     sum_of_sides(other->move) + REACHES * (whole->shape->reach + other->shape->reach) + margin;
    meeting->error = error_of(whole) + error_of(other) + ROUNDING * meeting->sizes;
}

/* How much farther apart spheres of radii that sum to `radius` or more have to be. */
static double slack_of(double radius, double sizes) {
    const double square = SQUARE_ERROR * sizes * sizes;
    return square / (radius + sqrt(radius * radius + square));
}

/* The shape's sphere and its straight way. Returns how far its centre may leave that way. */
static double set_way(const carom_meeting *m, const carom_track *track, passing *shape) {
    carom_posed end;
    double p[3];
    double u[3];
    carom_track_pose(track, 1.0, &end);
    for (int d = 0; d < 3; d++) {
        p[d] = m->other->at[d] - m->whole->at[d] + track->swing.arm[d];
        u[d] = m->other->move[d] - m->whole->move[d] + (end.at[d] - track->swing.arm[d]);
    }
    carom_pose_to_local((const double(*)[3])m->start, p, shape->p);
    carom_pose_to_local((const double(*)[3])m->start, u, shape->u);
    return bend_of(m->other) * carom_vector_length(track->swing.arm);
}

static void set_passing(const carom_meeting *m, const carom_track *track, double end, passing *shape) {
    const double radius = track->swing.shape->reach;
    const double slack = slack_of(radius + m->margin, m->sizes);
    double p[3];
    double u[3];
    *shape = (passing){.meeting = m, .end = end, .bend = bend_of(m->whole)};
    shape->within = radius + m->margin + set_way(m, track, shape) + m->error + slack;
    carom_vector_add(m->other->at, -1.0, m->whole->at, p);
    carom_vector_add(m->other->move, -1.0, m->whole->move, u);
    shape->apart = sqrt(least_square(p, u, end)) - track->reach - m->margin - m->error - slack;
}

static bool is_passed(const void *data, const carom_ball *ball) {
    const passing *shape = data;
    const double(*way)[3] = shape->meeting->way;
    double p[3];
    double u[3];
    for (int d = 0; d < 3; d++) {
        p[d] = shape->p[d] - ball->at[d];
        u[d] = shape->u[d] - carom_vector_dot(way[d], ball->at);
    }
    const double reach = shape->within + ball->radius + shape->bend * ball->far;
    return ball->far < shape->apart || least_square(p, u, shape->end) > reach * reach;
}

void carom_meeting_choose(const carom_meeting *meeting, const carom_track *track, double end, uint32_t begin,
                          carom_choice *choice) {
    const carom_shape_entry *shape = meeting->whole->shape;
    passing other;
    if (!(meeting->sizes > SIZES_LEAST && meeting->sizes < SIZES_MOST)) {
        carom_choice_few(begin, shape->child_count, choice);
        return;
    }
    set_passing(meeting, track, end, &other);
    carom_choice_make(shape->balls, begin, is_passed, &other, choice);
}
