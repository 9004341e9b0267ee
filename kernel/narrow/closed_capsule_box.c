/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A capsule against a box. In: both. Out: the signed distance of the capsule's segment from the box, less the radius.
 *
 * In the box's frame. Six directions can hold a segment and a box apart or push them apart least: the faces' normals,
 * and the common normals of the segment and the three directions of edges. They are all the faces of the difference of
 * the two, so their best height is the signed distance where the segment meets the box, and a lower bound elsewhere.
 * Where it does not, the nearest point of the segment proves the upper bound: the zero of the slope of a convex
 * function whose slope is linear between the planes of the faces. Its direction, made tangent to the segment, proves
 * another lower bound. */
#include "kernel/narrow/closed_capsule_box.h"
#include "simd/ref/closed_thread.h"
#include "simd/ref/closed_work.h"

/* Components of the segment's direction that count as 0. Their squares would be too small for doubles, and they move an
 * end by less than rounding. */
static const double DIRECTION_LEAST = 0x1p-200;

/* A segment this near the box, relative to all lengths, counts as meeting it: moved by no more, it would, and the
 * margin of the bracket covers that. */
static const double MEETS = 0x1p-49;

/* The points p + t u, |t| <= half, and the box |x_d| <= h[d]. */
typedef struct segment_box {
    double p[3];
    double u[3];
    double half;
    const double *h;
} segment_box;

/* A direction and the height of the segment over the box along it. */
typedef struct box_height {
    double s;
    double highest; /* of all that were looked at */
    double n[3];
    int axis; /* 0 to 2: a face's normal; 3 to 5: common normal with edge axis - 3; 6: another */
} box_height;

static void point_at(const segment_box *pair, double t, double point[3]) {
    carom_vector_add(pair->p, t, pair->u, point);
}

/* The part of the way from the box to the segment's point at t, and the slope of half its square. */
static double slope_at(const segment_box *pair, double t, double out[3]) {
    point_at(pair, t, out);
    for (int d = 0; d < 3; d++) {
        out[d] -= carom_closed_clamp(out[d], pair->h[d]);
    }
    return carom_vector_dot(pair->u, out);
}

/* Where the slope may bend: at the segment's ends, and at the planes of faces between them. */
static void set_bends(const segment_box *pair, double bend[8]) {
    bend[0] = -pair->half;
    bend[1] = pair->half;
    for (int d = 0; d < 3; d++) {
        const double u = pair->u[d] != 0.0 ? pair->u[d] : 1.0;
        bend[2 + 2 * d] = carom_closed_clamp((-pair->h[d] - pair->p[d]) / u, pair->half);
        bend[3 + 2 * d] = carom_closed_clamp((pair->h[d] - pair->p[d]) / u, pair->half);
    }
}

/* The t of the segment's point nearest to the box; the middle, if there are several. */
static double nearest_time(const segment_box *pair) {
    double bend[8];
    double out[3];
    double falls = -pair->half;
    double rises = pair->half;
    double falling = 0.0;
    double rising = 0.0;
    double flat[2] = {HUGE_VAL, -HUGE_VAL};
    set_bends(pair, bend);
    for (int n = 0; n < 8; n++) {
        const double slope = slope_at(pair, bend[n], out);
        if (slope < 0.0 && bend[n] >= falls) {
            falls = bend[n];
            falling = slope;
        }
        if (slope > 0.0 && bend[n] <= rises) {
            rises = bend[n];
            rising = slope;
        }
        flat[0] = slope == 0.0 ? carom_lesser(flat[0], bend[n]) : flat[0];
        flat[1] = slope == 0.0 ? carom_greater(flat[1], bend[n]) : flat[1];
    }
    if (flat[0] <= flat[1]) {
        return 0.5 * (flat[0] + flat[1]);
    }
    if (!(falling < 0.0 && rising > 0.0)) {
        return falling < 0.0 ? pair->half : -pair->half;
    }
    return carom_closed_clamp(falls - falling * ((rises - falls) / (rising - falling)), pair->half);
}

static void turn_towards(const segment_box *pair, double n[3]) {
    const double sign = carom_vector_dot(n, pair->p) < 0.0 ? -1.0 : 1.0;
    for (int d = 0; d < 3; d++) {
        n[d] *= sign;
    }
}

/* The height along n, which points from the box's centre to the segment's. */
static double height_along(const segment_box *pair, const double n[3]) {
    const double box = pair->h[0] * fabs(n[0]) + pair->h[1] * fabs(n[1]) + pair->h[2] * fabs(n[2]);
    return carom_vector_dot(n, pair->p) - box - pair->half * fabs(carom_vector_dot(n, pair->u));
}

/* The candidate n, if it is higher than what there is by more than `margin`; the first of several. */
static void take_higher(const segment_box *pair, const double n[3], int axis, double margin, box_height *best) {
    box_height next = {.n = {n[0], n[1], n[2]}, .axis = axis};
    turn_towards(pair, next.n);
    next.s = height_along(pair, next.n);
    next.highest = carom_greater(next.s, best->highest);
    best->highest = next.highest;
    if (next.s - margin > best->s) {
        *best = next;
    }
}

static double size_of(const segment_box *pair) {
    return carom_closed_sum(pair->p) + pair->half + carom_closed_sum(pair->h);
}

/* The best of the six directions; a face's is better than one that is as good to rounding. A common normal is computed
 * from two components of u, so it is as exact as they are even if the segment is almost parallel to the edge. */
static void best_of_six(const segment_box *pair, box_height *best) {
    const double margin = CAROM_CLOSED_ERROR * size_of(pair);
    *best = (box_height){.s = -HUGE_VAL, .highest = -HUGE_VAL};
    for (int d = 0; d < 3; d++) {
        double n[3] = {0.0, 0.0, 0.0};
        n[d] = 1.0;
        take_higher(pair, n, d, 0.0, best);
    }
    for (int d = 0; d < 3 && pair->half > 0.0; d++) {
        double n[3] = {0.0, 0.0, 0.0};
        n[(d + 1) % 3] = pair->u[(d + 2) % 3];
        n[(d + 2) % 3] = -pair->u[(d + 1) % 3];
        if (carom_vector_unit(n, n)) {
            take_higher(pair, n, 3 + d, margin, best);
        }
    }
}

/* The direction to the nearest point. Inside the segment it is made tangent to it, and keeps its zeros: otherwise it
 * would look past the box's faces. */
static void take_apart(const segment_box *pair, double t, const double out[3], box_height *best) {
    double n[3] = {out[0], out[1], out[2]};
    double u[3];
    for (int d = 0; d < 3; d++) {
        u[d] = out[d] != 0.0 ? pair->u[d] : 0.0;
    }
    const double square = carom_vector_dot(u, u);
    const double slope = carom_vector_dot(u, n);
    if (carom_vector_unit(n, n)) {
        take_higher(pair, n, 6, 0.0, best);
    }
    if ((fabs(t) < pair->half || slope * t > 0.0) && square > 0.0) {
        carom_vector_add(out, -slope / square, u, n);
        carom_vector_add(n, -carom_vector_dot(u, n) / square, u, n);
        if (carom_vector_unit(n, n)) {
            take_higher(pair, n, 6, 0.0, best);
        }
    }
}

/* Where the segment lies over the face of an axis: from *first to *last. */
static void over_face(const segment_box *pair, int axis, double *first, double *last) {
    *first = -pair->half;
    *last = pair->half;
    for (int d = 0; d < 3; d++) {
        if (d != axis && pair->u[d] != 0.0) {
            const double low = (-pair->h[d] - pair->p[d]) / pair->u[d];
            const double high = (pair->h[d] - pair->p[d]) / pair->u[d];
            *first = carom_greater(*first, carom_lesser(low, high));
            *last = carom_lesser(*last, carom_greater(low, high));
        }
    }
}

/* Where the segment is deepest under a face: at an end of what lies over it; parallel to the face, where it is nearest
 * to t. */
static double deepest_time(const segment_box *pair, const box_height *best, double t) {
    double first;
    double last;
    over_face(pair, best->axis, &first, &last);
    if (!(first <= last)) {
        return t;
    }
    const double rise = carom_vector_dot(best->n, pair->u);
    return fabs(rise) <= CAROM_CLOSED_PARALLEL ? carom_greater(first, carom_lesser(last, t))
           : rise > 0.0                        ? first
                                               : last;
}

/* Where the segment passes the edge, both seen along the common normal. */
static double passing_time(const segment_box *pair, const box_height *best) {
    const int b = (best->axis - 2) % 3;
    const int c = (best->axis - 1) % 3;
    const double to_b = (best->n[b] < 0.0 ? -pair->h[b] : pair->h[b]) - pair->p[b];
    const double to_c = (best->n[c] < 0.0 ? -pair->h[c] : pair->h[c]) - pair->p[c];
    const double most = carom_greater(fabs(pair->u[b]), fabs(pair->u[c]));
    const double u_b = pair->u[b] / most;
    const double u_c = pair->u[c] / most;
    return carom_closed_clamp((to_b * u_b + to_c * u_c) / (u_b * u_b + u_c * u_c) / most, pair->half);
}

/* Points of an overlap: of the segment at t, and its nearest on the side of the box that n points to. */
static void set_inner_points(const segment_box *pair, const box_height *best, double t, double of_i[3],
                             double of_k[3]) {
    point_at(pair, t, of_i);
    for (int d = 0; d < 3; d++) {
        const bool on_side = best->axis < 3 ? d == best->axis : d != best->axis - 3;
        const double side = best->n[d] < 0.0 ? -pair->h[d] : pair->h[d];
        of_k[d] = on_side ? side : carom_closed_clamp(of_i[d], pair->h[d]);
    }
}

/* The core's answer in the box's frame. Returns the upper bound; best->s is the lower one. */
static double find_core(const segment_box *pair, box_height *best, double of_i[3], double of_k[3]) {
    double out[3];
    double along[3] = {0.0, 0.0, 0.0};
    const double t = nearest_time(pair);
    (void)slope_at(pair, t, out);
    best_of_six(pair, best);
    point_at(pair, t, of_i);
    carom_vector_add(of_i, -1.0, out, of_k);
    (void)carom_vector_unit(out, along);
    const double distance = carom_vector_dot(out, along);
    if (distance <= MEETS * size_of(pair)) {
        const double deep = best->axis < 3 ? deepest_time(pair, best, t) : passing_time(pair, best);
        set_inner_points(pair, best, deep, of_i, of_k);
        return best->highest;
    }
    take_apart(pair, t, out, best);
    return carom_greater(best->s, distance);
}

static void make_pair(const carom_posed *i, const carom_posed *k, const double between[3], segment_box *pair) {
    double axis[3];
    carom_closed_axis(i, axis);
    carom_pose_to_local(k->turn, between, pair->p);
    carom_pose_to_local(k->turn, axis, pair->u);
    for (int d = 0; d < 3; d++) {
        pair->u[d] = fabs(pair->u[d]) < DIRECTION_LEAST ? 0.0 : pair->u[d];
    }
    pair->half = i->shape->extent[2];
    pair->h = k->shape->extent;
}

/* Whether the box is a segment or a point; `axis` is its longest. Then the six directions are not all that matter. */
static bool is_segment(const double h[3], int *axis) {
    *axis = h[1] > h[0] ? 1 : 0;
    *axis = h[2] > h[*axis] ? 2 : *axis;
    return h[(*axis + 1) % 3] <= 0.0 && h[(*axis + 2) % 3] <= 0.0;
}

/* A capsule of radius 0 along the axis. */
static void find_segment(const carom_posed *i, const carom_posed *k, int axis, carom_gap *gap) {
    const carom_shape_entry segment = {.kind = CAROM_SHAPE_CAPSULE, .extent = {0.0, 0.0, k->shape->extent[axis]}};
    carom_posed thread = *k;
    thread.shape = &segment;
    for (int d = 0; d < 3; d++) {
        for (int a = 0; a < 3; a++) {
            thread.turn[d][a] = k->turn[d][(axis + 1 + a) % 3];
        }
    }
    carom_closed_thread_pair(i, &thread, gap);
}

void carom_closed_capsule_box(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    int axis;
    if (is_segment(k->shape->extent, &axis)) {
        find_segment(i, k, axis, gap);
        return;
    }
    segment_box pair;
    box_height best;
    double between[3];
    double of_i[3];
    double of_k[3];
    carom_closed_between(i, k, between);
    make_pair(i, k, between, &pair);
    const double upper = find_core(&pair, &best, of_i, of_k);
    const double radius = i->shape->radius;
    carom_pose_from_local(k->turn, best.n, gap->normal);
    carom_pose_from_local(k->turn, of_i, gap->point_i);
    carom_pose_from_local(k->turn, of_k, gap->point_k);
    for (int d = 0; d < 3; d++) {
        gap->point_i[d] += k->at[d] - radius * gap->normal[d];
        gap->point_k[d] += k->at[d];
    }
    const double size = carom_closed_sum(between) + pair.half + carom_closed_sum(pair.h) + radius;
    carom_closed_bracket(best.s - radius, upper - radius, size, gap);
}
