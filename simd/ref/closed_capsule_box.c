/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/ref/closed_capsule_box.h"

#include "simd/ref/closed_segment.h"
#include "simd/ref/closed_work.h"

/* The points p + t u, |t| <= half, and the box |x_d| <= h[d]. */
typedef struct segment_box {
    double p[3];
    double u[3];
    double half;
    const double *h;
    double enter[3]; /* from enter[d] to leave[d] the line is between the planes of axis d */
    double leave[3];
    double beside[3]; /* how much earlier or later it is `margin` beside the planes */
    double size;      /* all lengths together */
    double margin;    /* of a height's rounding */
} segment_box;

/* The best direction so far. */
typedef struct best_direction {
    double n[3];
    double length;  /* of n */
    double height;  /* of the segment over the box along n */
    double highest; /* along any direction that was looked at */
    bool is_edge;   /* n is a common normal */
} best_direction;

static void make_pair(const carom_posed *i, const carom_posed *k, const double between[3], segment_box *pair) {
    double axis[3];
    carom_closed_axis(i, axis);
    carom_pose_to_local(k->turn, between, pair->p);
    carom_pose_to_local(k->turn, axis, pair->u);
    pair->half = i->shape->extent[2];
    pair->h = k->shape->extent;
    pair->size = carom_closed_sum(between) + pair->half + carom_closed_sum(pair->h);
    pair->margin = CAROM_CLOSED_ERROR * pair->size;
    for (int d = 0; d < 3; d++) {
        pair->u[d] = fabs(pair->u[d]) < CAROM_CAPSULE_BOX_LEAST ? 0.0 : pair->u[d];
        const bool moves = pair->u[d] != 0.0;
        const double scale = 1.0 / (moves ? pair->u[d] : 1.0);
        const double low = (-pair->h[d] - pair->p[d]) * scale;
        const double high = (pair->h[d] - pair->p[d]) * scale;
        pair->enter[d] = moves ? carom_lesser(low, high) : -HUGE_VAL;
        pair->leave[d] = moves ? carom_greater(low, high) : HUGE_VAL;
        pair->beside[d] = pair->margin * fabs(scale);
    }
}

/* The slope, at t, of half the square of the distance from the box. It never falls, whatever its rounding. */
static double slope_at(const segment_box *pair, double t) {
    double slope[3];
    for (int d = 0; d < 3; d++) {
        const double within = carom_greater(pair->enter[d], carom_lesser(pair->leave[d], t));
        slope[d] = pair->u[d] * pair->u[d] * (t - within);
    }
    return slope[0] + slope[1] + slope[2];
}

/* Narrows the part of the segment in which the slope is 0 by a time at which it bends. */
static void look(const segment_box *pair, double time, double *falls, double *rises) {
    const double bend = carom_closed_clamp(time, pair->half);
    const double slope = slope_at(pair, bend);
    *falls = slope <= 0.0 ? carom_greater(bend, *falls) : *falls;
    *rises = slope > 0.0 ? carom_lesser(bend, *rises) : *rises;
}

/* The zero of the slope, which bends where the line enters or leaves; an end, if it has none. */
static double zero_of_slope(const segment_box *pair) {
    double falls = -pair->half;
    double rises = pair->half;
    for (int d = 0; d < 3; d++) {
        look(pair, pair->enter[d], &falls, &rises);
        look(pair, pair->leave[d], &falls, &rises);
    }
    const double falling = slope_at(pair, falls);
    const double rising = slope_at(pair, rises);
    if (falling > 0.0) {
        return falls;
    }
    const double part = -falling / (rising > 0.0 ? rising - falling : 1.0);
    return rising > 0.0 ? carom_closed_clamp(falls + part * (rises - falls), pair->half) : rises;
}

/* The t of the segment's point nearest to the box; the middle, if there are several. */
static double nearest_time(const segment_box *pair) {
    double first = -pair->half;
    double last = pair->half;
    for (int d = 0; d < 3; d++) {
        first = carom_greater(pair->enter[d], first);
        last = carom_lesser(pair->leave[d], last);
    }
    return first <= last ? 0.5 * (first + last) : zero_of_slope(pair);
}

/* The way from the box to the segment's point at t. */
static void way_out(const segment_box *pair, double t, double out[3]) {
    carom_vector_add(pair->p, t, pair->u, out);
    for (int d = 0; d < 3; d++) {
        out[d] -= carom_closed_clamp(out[d], pair->h[d]);
    }
}

/* A direction replaces the best one if it is higher by more than `margin`. */
static void take(const double n[3], double length, double height, double margin, bool is_edge, best_direction *best) {
    best->highest = carom_greater(height, best->highest);
    if (height - margin > best->height) {
        best->height = height;
        best->length = length;
        best->is_edge = is_edge;
        for (int d = 0; d < 3; d++) {
            best->n[d] = n[d];
        }
    }
}

static void take_faces(const segment_box *pair, best_direction *best) {
    for (int d = 0; d < 3; d++) {
        double n[3] = {0.0, 0.0, 0.0};
        n[d] = pair->p[d] < 0.0 ? -1.0 : 1.0;
        take(n, 1.0, fabs(pair->p[d]) - (pair->h[d] + pair->half * fabs(pair->u[d])), 0.0, false, best);
    }
}

/* A face's normal is better than a common normal that is as good to rounding. That is computed from two components of
 * u, so it is as exact as they are even if the segment is almost parallel to the edge. */
static void take_edges(const segment_box *pair, best_direction *best) {
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        const double place = pair->u[c] * pair->p[b] - pair->u[b] * pair->p[c];
        const double sign = place < 0.0 ? -1.0 : 1.0;
        const double length = sqrt(pair->u[b] * pair->u[b] + pair->u[c] * pair->u[c]);
        const double reach = pair->h[b] * fabs(pair->u[c]) + pair->h[c] * fabs(pair->u[b]);
        double n[3] = {0.0, 0.0, 0.0};
        n[b] = sign * pair->u[c];
        n[c] = -(sign * pair->u[b]);
        if (length > 0.0) {
            take(n, length, (fabs(place) - reach) / length, pair->margin, true, best);
        }
    }
}

/* The direction to the segment's point at t, made tangent to the segment by a part of u if it is then that to another
 * of its points. */
static void take_tangent(const segment_box *pair, double t, const double out[3], const double u[3],
                         best_direction *best) {
    double n[3];
    const double square = carom_vector_dot(u, u);
    const double part = carom_vector_dot(u, out) / (square > 0.0 ? square : 1.0);
    carom_vector_add(out, fabs(t - part) <= pair->half ? -part : -0.0, u, n);
    const double left = carom_vector_dot(n, n);
    if (left > CAROM_CAPSULE_BOX_TANGENT * carom_vector_dot(out, out)) {
        const double length = sqrt(left);
        const double box = pair->h[0] * fabs(n[0]) + pair->h[1] * fabs(n[1]) + pair->h[2] * fabs(n[2]);
        const double reach = box + pair->half * fabs(carom_vector_dot(n, pair->u));
        take(n, length, (carom_vector_dot(n, pair->p) - reach) / length, 0.0, false, best);
    }
}

/* The direction to the nearest point. Made tangent, it should keep its zeros: otherwise it would look past the box's
 * faces. But a segment that is almost parallel to an edge may pass its corner by less than rounding: then a zero is
 * none. */
static void take_apart(const segment_box *pair, double t, const double out[3], double distance, best_direction *best) {
    double u[3];
    for (int d = 0; d < 3; d++) {
        u[d] = out[d] != 0.0 ? pair->u[d] : 0.0;
    }
    take_tangent(pair, t, out, u, best);
    if (best->height < distance - pair->margin) {
        take_tangent(pair, t, out, pair->u, best);
    }
}

/* Where the segment is deepest under a face: at an end of what lies over it; parallel to the face, where it is nearest
 * to t. */
static double deepest_time(const segment_box *pair, const best_direction *best, double t) {
    double first = -pair->half;
    double last = pair->half;
    for (int d = 0; d < 3; d++) {
        first = best->n[d] != 0.0 ? first : carom_greater(pair->enter[d] - pair->beside[d], first);
        last = best->n[d] != 0.0 ? last : carom_lesser(pair->leave[d] + pair->beside[d], last);
    }
    if (!(first <= last)) {
        return t;
    }
    const double rise = carom_vector_dot(best->n, pair->u);
    return fabs(rise) <= CAROM_CLOSED_PARALLEL ? carom_greater(first, carom_lesser(last, t))
           : rise > 0.0                        ? first
                                               : last;
}

static double side_of(const segment_box *pair, const best_direction *best, int d) {
    return best->n[d] < 0.0 ? -pair->h[d] : pair->h[d];
}

/* Where the segment passes the edge, both seen along the common normal. */
static double passing_time(const segment_box *pair, const best_direction *best) {
    double to[3];
    double u[3];
    for (int d = 0; d < 3; d++) {
        to[d] = side_of(pair, best, d) - pair->p[d];
        u[d] = best->n[d] != 0.0 ? pair->u[d] : 0.0;
    }
    return carom_closed_clamp(carom_vector_dot(to, u) / carom_vector_dot(u, u), pair->half);
}

/* Points of the segment at t, and of the box: the nearest; of an overlap, on the side that the best direction sees. */
static void set_points(const segment_box *pair, const best_direction *best, double t, bool meets, double of_i[3],
                       double of_k[3]) {
    carom_vector_add(pair->p, t, pair->u, of_i);
    for (int d = 0; d < 3; d++) {
        const bool on_side = meets && best->n[d] != 0.0;
        of_k[d] = on_side ? side_of(pair, best, d) : carom_closed_clamp(of_i[d], pair->h[d]);
    }
}

/* The core's answer in the box's frame. Returns the upper bound; best->height is the lower one. */
static double find_core(const segment_box *pair, best_direction *best, double of_i[3], double of_k[3]) {
    double out[3];
    const double t = nearest_time(pair);
    way_out(pair, t, out);
    const double distance = carom_vector_length(out);
    *best = (best_direction){.height = -HUGE_VAL, .highest = -HUGE_VAL};
    take_faces(pair, best);
    take_edges(pair, best);
    if (distance <= CAROM_CAPSULE_BOX_MEETS * pair->size) {
        set_points(pair, best, best->is_edge ? passing_time(pair, best) : deepest_time(pair, best, t), true, of_i,
                   of_k);
        return best->highest;
    }
    set_points(pair, best, t, false, of_i, of_k);
    take_apart(pair, t, out, distance, best);
    return carom_greater(best->height, distance);
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
    carom_posed as_capsule = *k;
    as_capsule.shape = &segment;
    for (int d = 0; d < 3; d++) {
        for (int a = 0; a < 3; a++) {
            as_capsule.turn[d][a] = k->turn[d][(axis + 1 + a) % 3];
        }
    }
    carom_closed_segment_pair(i, &as_capsule, gap);
}

void carom_closed_capsule_box(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    int axis;
    if (is_segment(k->shape->extent, &axis)) {
        find_segment(i, k, axis, gap);
        return;
    }
    segment_box pair;
    best_direction best;
    double between[3];
    double of_i[3];
    double of_k[3];
    carom_closed_between(i, k, between);
    make_pair(i, k, between, &pair);
    const double upper = find_core(&pair, &best, of_i, of_k);
    const double radius = i->shape->radius;
    for (int d = 0; d < 3; d++) {
        best.n[d] /= best.length;
    }
    carom_pose_from_local(k->turn, best.n, gap->normal);
    carom_pose_from_local(k->turn, of_i, gap->point_i);
    carom_pose_from_local(k->turn, of_k, gap->point_k);
    for (int d = 0; d < 3; d++) {
        gap->point_i[d] += k->at[d] - radius * gap->normal[d];
        gap->point_k[d] += k->at[d];
    }
    carom_closed_bracket(best.height - radius, upper - radius, pair.size + radius, gap);
}
