/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a surface, a piece of a path. Out: the time of the impact and the normal there.
 *
 * A sphere meets a surface where its centre meets the surface moved out by its radius: a plane, a cylinder, or a box
 * with rounded edges and corners (C. Ericson, Real-Time Collision Detection, 2005, section 5.5.7). */
#include "kernel/response/surface.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/response/predict.h"
#include "simd/vector.h"

/* Cosine of the angle between a box's edges that counts as a right one. */
static const double SKEW = 1e-6;

/* A centre's motion seen from the surface: at time t after the piece's start it is at y + w t. */
typedef struct local_motion {
    double y[3];
    double w[3];
} local_motion;

static void subtract(const double a[3], const double b[3], double difference[3]) {
    carom_vector_add(a, -1.0, b, difference);
}

/* A body whose path meets the surface. Units of length and of speed are such that no product is too small. */
typedef struct mover {
    const carom_piece *piece;
    double r;
    double r_a_step; /* the speed that moves it by its radius in a step */
} mover;

/* Time at which a body hits what it touches from the beginning, where it moves along the normal at `rate`. */
static double time_when_touching(const mover *body, const double normal[3], double rate) {
    double sizes[3];
    for (int a = 0; a < 3; a++) {
        sizes[a] = fabs(body->piece->v[a]) + body->r_a_step * fabs(normal[a]);
    }
    return carom_impact_approaches(normal, rate, sizes) ? 0.0 : INFINITY;
}

static double time_to_plane(const carom_surface *plane, const mover *body) {
    double y[3];
    subtract(body->piece->x, plane->at, y);
    const double rate = carom_vector_dot(plane->axis[0], body->piece->v);
    const double gap = carom_vector_dot(plane->axis[0], y) - body->r;
    if (!(rate < 0.0)) {
        return INFINITY;
    }
    return gap > 0.0 ? gap / -rate : time_when_touching(body, plane->axis[0], rate);
}

/* What is left of a vector across a cylinder's axis. */
static void drop_along(const carom_surface *cylinder, double y[3]) {
    carom_vector_add(y, -carom_vector_dot(y, cylinder->axis[0]), cylinder->axis[0], y);
}

/* The motion across a cylinder's axis. */
static local_motion across(const carom_surface *cylinder, const carom_piece *piece) {
    local_motion m;
    subtract(piece->x, cylinder->at, m.y);
    drop_along(cylinder, m.y);
    memcpy(m.w, piece->v, sizeof m.w);
    drop_along(cylinder, m.w);
    return m;
}

/* One that touches the pillar is asked for the normal, as an impact is: far along the axis what is left of place and
 * velocity across it has more rounding than a product of the two tells. */
static double time_to_pillar(const carom_surface *pillar, const mover *body) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const local_motion m = across(pillar, body->piece);
    const double reach = pillar->extent[0] + body->r;
    if (!(carom_vector_dot(m.y, m.w) < 0.0)) {
        return INFINITY;
    }
    if (carom_vector_dot(m.y, m.y) > reach * reach) {
        return carom_predict_reach(m.y, m.w, reach, none);
    }
    double normal[3];
    carom_surface_normal(pillar, body->piece->x, body->piece->v, normal);
    return time_when_touching(body, normal, carom_vector_dot(normal, body->piece->v));
}

/* Speed across a pipe's axis over the whole speed, squared, that is rounding of a motion along the axis. */
static const double ALONG = 0x1p-90;

/* b^2 - a c of a motion from beyond the wall, without the cancellation that it has there: as carom_predict_reach. */
static double of_passing(const local_motion *m, double a, double room) {
    double cross[3];
    carom_vector_cross(m->y, m->w, cross);
    return a * (room * room) - carom_vector_dot(cross, cross);
}

/* The later time at which |y + w t| is `room`, or at which it is least if it is never so small: then the body is stuck
 * in the wall, and is stopped when it moves farther into it. */
static double time_to_pipe(const carom_surface *pipe, const carom_piece *piece, double r) {
    const local_motion m = across(pipe, piece);
    const double room = fmax(pipe->extent[0] - r, 0.0);
    const double a = carom_vector_dot(m.w, m.w);
    const double b = carom_vector_dot(m.y, m.w);
    const double c = carom_vector_dot(m.y, m.y) - room * room;
    if (!(a > ALONG * carom_vector_dot(piece->v, piece->v))) {
        return INFINITY;
    }
    if (b >= 0.0 && c >= 0.0) {
        return 0.0; /* b = 0: along the wall, so into it in the next moment */
    }
    const double d = c <= 0.0 ? b * b - a * c : of_passing(&m, a, room);
    const double root = d > 0.0 ? sqrt(d) : 0.0;
    return b > 0.0 ? -c / (root + b) : (root - b) / a;
}

static local_motion beside_box(const carom_surface *box, const carom_piece *piece) {
    local_motion m;
    double y[3];
    subtract(piece->x, box->at, y);
    for (int a = 0; a < 3; a++) {
        m.y[a] = carom_vector_dot(box->axis[a], y);
        m.w[a] = carom_vector_dot(box->axis[a], piece->v);
    }
    return m;
}

/* The side of the box on which coordinate y lies: the face at side * extent, or 0 between the faces. */
static int side_of(double y, double extent) {
    return (y > extent) - (y < -extent);
}

/* Time from which on coordinate y + w t is on the next side; INFINITY if there is none. */
static double time_of_next_side(double y, double w, double extent, int side) {
    if (!(w < 0.0 || w > 0.0) || side * w > 0.0) {
        return INFINITY;
    }
    const double face = side != 0 ? side * extent : copysign(extent, w);
    return (face - y) / w;
}

/* While the sides stay what they are, the distance from the box is that from a face, an edge or a corner. Time at which
 * it is r, if that is in [begin, end]; otherwise INFINITY. At `begin` it is greater. */
static double time_to_feature(const local_motion *m, const carom_surface *box, const int side[3], double r,
                              double begin, double end) {
    double s[3];
    double w[3];
    for (int a = 0; a < 3; a++) {
        s[a] = side[a] != 0 ? m->y[a] - side[a] * box->extent[a] : 0.0;
        w[a] = side[a] != 0 ? m->w[a] : 0.0;
    }
    const double a = carom_vector_dot(w, w);
    const double b = carom_vector_dot(s, w);
    double cross[3];
    carom_vector_cross(s, w, cross);
    const double d = a * (r * r) - carom_vector_dot(cross, cross);
    if (!(d >= 0.0) || !(b + a * begin < 0.0)) {
        return INFINITY;
    }
    const double t = fmax((-b - sqrt(d)) / a, begin);
    return t <= end ? t : INFINITY;
}

static double distance2_from_box(const double y[3], const double extent[3]) {
    double d[3];
    for (int a = 0; a < 3; a++) {
        d[a] = fmax(fabs(y[a]) - extent[a], 0.0);
    }
    return carom_vector_dot(d, d);
}

/* A body that touches the box from the beginning hits it if it moves against the normal. */
static double time_to_touched_box(const carom_surface *box, const mover *body) {
    double normal[3];
    carom_surface_normal(box, body->piece->x, body->piece->v, normal);
    return time_when_touching(body, normal, carom_vector_dot(normal, body->piece->v));
}

/* Walks through the sides that the path crosses, at most two an axis. The distance from the box is convex in time. */
static double time_to_box(const carom_surface *box, const mover *body) {
    enum { SIDES_MOST = 7 };
    const local_motion m = beside_box(box, body->piece);
    if (distance2_from_box(m.y, box->extent) <= body->r * body->r) {
        return time_to_touched_box(box, body);
    }
    int side[3];
    for (int a = 0; a < 3; a++) {
        side[a] = side_of(m.y[a], box->extent[a]);
    }
    double begin = 0.0;
    for (int n = 0; n < SIDES_MOST; n++) {
        if (side[0] == 0 && side[1] == 0 && side[2] == 0) {
            return begin; /* it went through a face */
        }
        double end = INFINITY;
        int next = 0;
        for (int a = 0; a < 3; a++) {
            const double t = time_of_next_side(m.y[a], m.w[a], box->extent[a], side[a]);
            next = t < end ? a : next;
            end = fmin(end, t);
        }
        const double t = time_to_feature(&m, box, side, body->r, begin, end);
        if (t < INFINITY || end == INFINITY) {
            return t;
        }
        side[next] += m.w[next] > 0.0 ? 1 : -1;
        begin = fmax(begin, end);
    }
    return INFINITY;
}

/* Counted from the piece's start. */
static double time_to(const carom_surface *surface, const mover *body) {
    double t = INFINITY;
    switch (surface->kind) {
    case CAROM_SURFACE_PLANE:
        t = time_to_plane(surface, body);
        break;
    case CAROM_SURFACE_BOX:
        t = time_to_box(surface, body);
        break;
    case CAROM_SURFACE_PILLAR:
        t = time_to_pillar(surface, body);
        break;
    case CAROM_SURFACE_PIPE:
        t = time_to_pipe(surface, body->piece, body->r);
        break;
    }
    return t;
}

/* Lengths and speeds from which on products of four of them are doubles without loss. */
static const double LEAST = 0x1p-200;

static double largest(const double v[3]) {
    return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

/* The largest length that a time to a surface depends on, and the largest speed. */
static void measure(const carom_surface *surface, const carom_piece *piece, double r, double *length, double *speed) {
    double y[3];
    subtract(piece->x, surface->at, y);
    const double extent = surface->kind == CAROM_SURFACE_BOX ? largest(surface->extent) : surface->extent[0];
    *length = fmax(fmax(largest(y), extent), r);
    *speed = largest(piece->v);
}

/* In units in which the two are about 1: powers of two change no bits of what comes out. */
static double time_scaled(const carom_surface *surface, const carom_piece *piece, double r, double length,
                          double speed) {
    carom_surface near = *surface;
    carom_piece motion = *piece;
    int lengths = 0;
    int speeds = 0;
    (void)frexp(length, &lengths);
    (void)frexp(speed, &speeds);
    for (int a = 0; a < 3; a++) {
        motion.x[a] = ldexp(piece->x[a] - surface->at[a], -lengths);
        motion.v[a] = ldexp(piece->v[a], -speeds);
        near.at[a] = 0.0;
        near.extent[a] = ldexp(surface->extent[a], -lengths);
    }
    const mover body = {&motion, ldexp(r, -lengths), fmin(ldexp(r, -speeds), DBL_MAX)};
    return ldexp(time_to(&near, &body), lengths - speeds);
}

double carom_surface_predict(const carom_surface *surface, const carom_piece *piece, double r) {
    if (surface->kind != CAROM_SURFACE_PLANE) {
        double length = 0.0;
        double speed = 0.0;
        measure(surface, piece, r, &length, &speed);
        if (speed > 0.0 && (length < LEAST || speed < LEAST)) {
            return piece->start + time_scaled(surface, piece, r, length, speed);
        }
    }
    const mover body = {piece, r, r};
    return piece->start + time_to(surface, &body);
}

/* From the box's frame to the world's. */
static void turn_back(const carom_surface *box, const double local[3], double x[3]) {
    for (int d = 0; d < 3; d++) {
        x[d] = local[0] * box->axis[0][d] + local[1] * box->axis[1][d] + local[2] * box->axis[2][d];
    }
}

static void box_normal(const carom_surface *box, const double x[3], double normal[3]) {
    double y[3];
    double from[3] = {0.0, 0.0, 0.0};
    double offset[3];
    subtract(x, box->at, offset);
    int nearest = 0;
    double depth = INFINITY;
    for (int a = 0; a < 3; a++) {
        y[a] = carom_vector_dot(box->axis[a], offset);
        from[a] = y[a] - side_of(y[a], box->extent[a]) * box->extent[a];
        from[a] = side_of(y[a], box->extent[a]) != 0 ? from[a] : 0.0;
        if (box->extent[a] - fabs(y[a]) < depth) {
            depth = box->extent[a] - fabs(y[a]);
            nearest = a;
        }
    }
    if (depth >= 0.0) { /* inside, or on a face */
        from[0] = from[1] = from[2] = 0.0;
        from[nearest] = copysign(1.0, y[nearest]);
    }
    double outward[3];
    turn_back(box, from, outward);
    for (int d = 0; d < 3; d++) { /* stays where turning rounds the least numbers to 0 */
        normal[d] = copysign(box->axis[nearest][d], y[nearest]);
    }
    (void)carom_vector_unit(outward, normal);
}

/* In the axis no direction is nearer to the wall than another: the body hits it head-on. */
static void cylinder_normal(const carom_surface *cylinder, const double x[3], const double v[3], double normal[3]) {
    double y[3];
    subtract(x, cylinder->at, y);
    drop_along(cylinder, y);
    if (carom_vector_unit(y, normal)) {
        for (int d = 0; d < 3 && cylinder->kind == CAROM_SURFACE_PIPE; d++) {
            normal[d] = -normal[d];
        }
        return;
    }
    double back[3] = {-v[0], -v[1], -v[2]};
    drop_along(cylinder, back);
    const bool known = carom_vector_unit(back, normal);
    CAROM_ASSERT(known);
    (void)known;
}

void carom_surface_normal(const carom_surface *surface, const double x[3], const double v[3], double normal[3]) {
    if (surface->kind == CAROM_SURFACE_PLANE) {
        for (int d = 0; d < 3; d++) {
            normal[d] = surface->axis[0][d];
        }
    } else if (surface->kind == CAROM_SURFACE_BOX) {
        box_normal(surface, x, normal);
    } else {
        cylinder_normal(surface, x, v, normal);
    }
}

static bool are_finite(const double *value, int count) {
    bool finite = true;
    for (int n = 0; n < count; n++) {
        finite = finite && isfinite(value[n]);
    }
    return finite;
}

/* Makes the axes of a box unit vectors at right angles. False if they are not at right angles as they are. */
static bool square_box(double axis[3][3]) {
    const double *first = axis[0];
    bool zero = true;
    for (int n = 0; n < 9; n++) {
        zero = zero && first[n] == 0.0;
    }
    if (zero) {
        axis[0][0] = axis[1][1] = axis[2][2] = 1.0;
        return true;
    }
    if (!carom_vector_unit(axis[0], axis[0]) || !carom_vector_unit(axis[1], axis[1]) ||
        !carom_vector_unit(axis[2], axis[2])) {
        return false;
    }
    const double *a = axis[0];
    const double skew = fmax(fabs(carom_vector_dot(a, axis[1])), fabs(carom_vector_dot(a, axis[2])));
    if (fmax(skew, fabs(carom_vector_dot(axis[1], axis[2]))) > SKEW) {
        return false;
    }
    carom_vector_add(axis[1], -carom_vector_dot(a, axis[1]), a, axis[1]);
    (void)carom_vector_unit(axis[1], axis[1]);
    carom_vector_cross(a, axis[1], axis[2]);
    return carom_vector_unit(axis[2], axis[2]);
}

bool carom_surface_unit(const carom_surface *surface, carom_surface *unit) {
    *unit = *surface;
    const bool box = surface->kind == CAROM_SURFACE_BOX;
    const bool plane = surface->kind == CAROM_SURFACE_PLANE;
    const bool known = box || plane || surface->kind == CAROM_SURFACE_PILLAR || surface->kind == CAROM_SURFACE_PIPE;
    const int extents = plane ? 0 : box ? 3 : 1;
    if (!known || !(surface->restitution >= 0.0 && surface->restitution <= 1.0) || !are_finite(surface->at, 3) ||
        !are_finite(surface->axis[0], box ? 9 : 3) || !are_finite(surface->extent, extents)) {
        return false;
    }
    for (int n = 0; n < extents; n++) {
        if (surface->extent[n] < 0.0) {
            return false;
        }
    }
    return box ? square_box(unit->axis) : carom_vector_unit(unit->axis[0], unit->axis[0]);
}
