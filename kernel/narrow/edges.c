/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two shapes and their normal. Out: the ends of the line along which they touch.
 *
 * An edge of one shape is cut where the other's edge ends, and from both ends a line along the normal leads to the
 * other shape's surface. So the points are on both surfaces even where the edges are not quite parallel. */
#include "kernel/narrow/edges.h"

#include <math.h>

#include "kernel/narrow/feature.h"
#include "simd/compare.h"
#include "simd/manifold.h"
#include "simd/vector.h"

/* How often an end is moved to where the other shape's side ends: each time it misses that by less than a fiftieth. */
enum { MOVES_MOST = 6 };

/* Surfaces and ends may be missed by so much, relative to the lengths that they are computed from: lines through
 * corners must not leave there by rounding. */
static const double MISSED = 0x1p-42;

/* The part of a line that lies in a convex shape. */
typedef struct inside {
    double begin;
    double end;
} inside;

/* Where a line leaves a shape. */
typedef struct leaving {
    double t;    /* how far along the line */
    double over; /* how far along the z axis beyond the round side, to which it was led; 0 for others */
} leaving;

/* Cuts off what lies over a plane at height `most`: the line is at height + t slope. */
static void cut(inside *in, double height, double slope, double most) {
    const double slack = MISSED * (fabs(height) + fabs(most));
    const double t = (most - height + slack) / slope;
    if (slope > 0.0) {
        in->end = carom_lesser(t, in->end);
    } else if (slope < 0.0) {
        in->begin = carom_greater(t, in->begin);
    } else if (height > most + slack) {
        in->end = -HUGE_VAL;
    }
}

static void cut_box(const double extent[3], const double w[3], const double d[3], inside *in) {
    for (int a = 0; a < 3; a++) {
        cut(in, w[a], d[a], extent[a]);
        cut(in, -w[a], -d[a], extent[a]);
    }
}

static void cut_hull(const carom_hull *hull, const double w[3], const double d[3], inside *in) {
    for (uint32_t n = 0; n < hull->face_count; n++) {
        const carom_hull_face *face = &hull->face[n];
        const uint32_t corner = hull->corner[face->first];
        const double on[3] = {hull->vertex[0][corner], hull->vertex[1][corner], hull->vertex[2][corner]};
        cut(in, carom_vector_dot(face->normal, w), carom_vector_dot(face->normal, d),
            carom_vector_dot(face->normal, on));
    }
}

/* The round side of a cylinder or capsule about the z axis, endless. */
static void cut_side(double radius, const double w[3], const double d[3], inside *in) {
    const double a = d[0] * d[0] + d[1] * d[1];
    const double b = w[0] * d[0] + w[1] * d[1];
    const double c = w[0] * w[0] + w[1] * w[1] - radius * radius;
    const double square = b * b - a * c;
    if (!(a > 0.0) || square < 0.0) {
        in->end = -HUGE_VAL;
        return;
    }
    in->begin = (-b - sqrt(square)) / a;
    in->end = (-b + sqrt(square)) / a;
}

/* How far z lies beyond [-half, half]; 0 within, and beside it by rounding. */
static double beyond(double z, double half, double rounding) {
    const double over = z - carom_greater(carom_lesser(z, half), -half);
    return fabs(over) <= rounding ? 0.0 : over;
}

/* Flat hulls have no faces at their sides. */
static bool has_surface(const carom_posed *posed) {
    switch (posed->shape->kind) {
    case CAROM_SHAPE_HULL:
        return posed->shape->dimensions == 3;
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_CAPSULE:
    case CAROM_SHAPE_CYLINDER:
        return true;
    default:
        return false;
    }
}

/* Where a line from p along n leaves a shape. False if it does not meet it. */
static bool find_exit(const carom_posed *posed, const double p[3], const double n[3], leaving *exit) {
    const double *extent = posed->shape->extent;
    double from[3];
    double w[3];
    double d[3];
    inside in = {-HUGE_VAL, HUGE_VAL};
    exit->over = 0.0;
    carom_vector_add(p, -1.0, posed->at, from);
    carom_pose_to_local(posed->turn, from, w);
    carom_pose_to_local(posed->turn, n, d);
    if (posed->shape->kind == CAROM_SHAPE_BOX) {
        cut_box(extent, w, d, &in);
    } else if (posed->shape->kind == CAROM_SHAPE_HULL) {
        cut_hull(posed->shape->hull, w, d, &in);
    } else {
        const double radius = posed->shape->kind == CAROM_SHAPE_CAPSULE ? posed->shape->radius : extent[0];
        cut_side(radius, w, d, &in);
        exit->over = beyond(w[2] + in.end * d[2], extent[2], MISSED * (extent[2] + radius));
    }
    exit->t = in.end;
    return in.begin <= in.end && isfinite(in.end);
}

/* The part of edge e over which edge f runs, seen along the normal n, as fractions of e. Nothing if they are not
 * parallel enough. */
static inside find_common(const carom_feature *e, const carom_feature *f, const double n[3]) {
    double along[3];
    double other[3];
    double across[3];
    double way[2][3];
    carom_vector_add(e->point[1], -1.0, e->point[0], along);
    carom_vector_add(f->point[1], -1.0, f->point[0], other);
    const double square = carom_vector_dot(along, along);
    const double cosine = carom_vector_dot(along, other);
    const double least = CAROM_MANIFOLD_PARALLEL * CAROM_MANIFOLD_PARALLEL * square * carom_vector_dot(other, other);
    if (!(cosine * cosine >= least && square > 0.0)) {
        return (inside){0.0, -HUGE_VAL};
    }
    carom_vector_add(along, -carom_vector_dot(along, n), n, across);
    const double length = carom_vector_dot(across, along);
    for (int m = 0; m < 2; m++) {
        carom_vector_add(f->point[m], -1.0, e->point[0], way[m]);
    }
    const double first = carom_vector_dot(across, way[0]) / length;
    const double last = carom_vector_dot(across, way[1]) / length;
    return (inside){carom_greater(carom_lesser(first, last), 0.0), carom_lesser(carom_greater(first, last), 1.0)};
}

/* A point of an edge, `*at` of its length from its beginning, and where a line from there along `up` leaves the other
 * shape. The point is moved along the edge if that is beyond the end of a round side. */
static bool lead_to(const carom_feature *edge, const carom_posed *other, const double up[3], double *at, double p[3],
                    leaving *exit) {
    double along[3];
    carom_vector_add(edge->point[1], -1.0, edge->point[0], along);
    const double rise = along[0] * other->turn[0][2] + along[1] * other->turn[1][2] + along[2] * other->turn[2][2];
    for (int n = 0; n < MOVES_MOST; n++) {
        carom_vector_add(edge->point[0], *at, along, p);
        if (!find_exit(other, p, up, exit)) {
            return false;
        }
        if (!(exit->over > 0.0 || exit->over < 0.0)) {
            return true;
        }
        *at -= exit->over / rise;
    }
    return false;
}

/* Ends on the edge of one shape, over the surface of the other; `up` leads from that to the edge. */
static void find_ends(const carom_feature *edge, inside part, const carom_posed *other, const double up[3],
                      carom_edges *ends) {
    for (int n = 0; n < 2; n++) {
        double at = n == 0 ? part.begin : part.end;
        double p[3];
        leaving exit;
        if (lead_to(edge, other, up, &at, p, &exit) && at >= 0.0 && at <= 1.0) {
            carom_vector_add(p, 0.5 * exit.t, up, ends->point[ends->count]);
            ends->separation[ends->count++] = -exit.t;
        }
    }
}

void carom_edges_find(const carom_posed *i, const carom_posed *k, const double normal[3], carom_edges *ends) {
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    carom_feature of_i;
    carom_feature of_k;
    ends->count = 0;
    if (!carom_feature_edge(i, back, &of_i) || !carom_feature_edge(k, normal, &of_k)) {
        return;
    }
    const bool on_i = has_surface(k);
    const carom_feature *edge = on_i ? &of_i : &of_k;
    const inside part = find_common(edge, on_i ? &of_k : &of_i, normal);
    if (part.begin < part.end && (on_i || has_surface(i))) {
        find_ends(edge, part, on_i ? k : i, on_i ? normal : back, ends);
    }
}
