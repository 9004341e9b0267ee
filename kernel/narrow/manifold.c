/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two shapes that touch, and their normal. Out: a manifold.
 *
 * Of the two features that face each other, the face more parallel to the normal is the reference. The other one is
 * clipped (Sutherland and Hodgman, 1974) by the planes through the reference's sides that are parallel to the pair's
 * normal. So the line along the normal through each point that is left meets the reference. Points that lie near or
 * behind the reference's plane remain; of more than four, those that span the most. Where no face is parallel enough,
 * edges or round sides may be, to one another: then points are the ends of the line along which they touch. Else, as
 * with two edges that cross, the witness points make the only point. */
#include "kernel/narrow/manifold.h"

#include <math.h>
#include <string.h>

#include "kernel/narrow/edges.h"
#include "kernel/narrow/feature.h"
#include "kernel/narrow/gap.h"
#include "simd/compare.h"
#include "simd/ref/boxes_manifold.h"
#include "simd/vector.h"

/* Clipping a convex polygon by a side adds a point at most. */
enum { CLIPPED_MAX = 2 * CAROM_FEATURE_POINTS };

/* Relative to the lengths that a height over a plane is computed from: some 30 times its rounding. */
static const double CLIP_SLACK = 0x1p-45;

typedef struct polygon {
    uint32_t count;
    double point[CLIPPED_MAX][3];
} polygon;

typedef struct candidates {
    uint32_t count;
    double point[CLIPPED_MAX][3]; /* midway */
    double separation[CLIPPED_MAX];
} candidates;

/* Height of a point over the plane through p with the normal m, times the length of m. Heights within rounding count as
 * 0: otherwise a face without width would keep no point. */
static double height_over(const double p[3], const double m[3], const double point[3]) {
    double height = 0.0;
    double lengths = 0.0;
    double steepness = 0.0;
    for (int d = 0; d < 3; d++) {
        height += m[d] * (point[d] - p[d]);
        lengths += fabs(point[d]) + fabs(p[d]);
        steepness += fabs(m[d]);
    }
    return fabs(height) <= CLIP_SLACK * steepness * lengths ? 0.0 : height;
}

/* Keeps what lies behind the plane through p with the normal m. An edge of two points stays one. */
static void clip(const polygon *from, const double p[3], const double m[3], polygon *to) {
    const uint32_t edges = from->count == 2 ? 1 : from->count;
    const double first = from->count > 0 ? height_over(p, m, from->point[0]) : 0.0;
    double height_b = first;
    to->count = 0;
    for (uint32_t n = 0; n < from->count; n++) {
        const uint32_t after = n + 1 < from->count ? n + 1 : 0;
        const double *a = from->point[n];
        const double *b = from->point[after];
        const double height_a = height_b;
        height_b = after == 0 ? first : height_over(p, m, b);
        if (height_a <= 0.0 && to->count < CLIPPED_MAX) {
            memcpy(to->point[to->count++], a, sizeof to->point[0]);
        }
        if (n < edges && ((height_a < 0.0 && height_b > 0.0) || (height_a > 0.0 && height_b < 0.0)) &&
            to->count < CLIPPED_MAX) {
            const double t = height_a / (height_a - height_b);
            for (int d = 0; d < 3; d++) {
                to->point[to->count][d] = a[d] + t * (b[d] - a[d]);
            }
            to->count++;
        }
    }
}

/* The direction, across `up`, in which the side from p to q bounds a face. Sides of a face without width may have no
 * length: those bound it away from its middle. */
static void find_outward(const carom_feature *face, const double p[3], const double q[3], const double up[3],
                         double outward[3]) {
    const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    if (carom_vector_dot(edge, edge) > 0.0) {
        carom_vector_cross(edge, up, outward);
        return;
    }
    memcpy(outward, p, 3 * sizeof *outward);
    for (uint32_t n = 0; n < face->count; n++) {
        carom_vector_add(outward, -1.0 / face->count, face->point[n], outward);
    }
    carom_vector_add(outward, -carom_vector_dot(outward, up), up, outward);
}

/* Clips the incident feature by all sides, from one polygon to the other and back; returns the last. `up` is the pair's
 * normal, from the reference to the incident feature. */
static const polygon *clip_all(const carom_feature *reference, const carom_feature *incident, const double up[3],
                               polygon turns[2]) {
    uint32_t now = 0;
    turns[now].count = incident->count;
    memcpy(turns[now].point, incident->point, incident->count * sizeof turns[now].point[0]);
    for (uint32_t n = 0; n < reference->count; n++) {
        const double *p = reference->point[n];
        const double *q = reference->point[n + 1 < reference->count ? n + 1 : 0];
        double outward[3];
        find_outward(reference, p, q, up, outward);
        clip(&turns[now], p, outward, &turns[1 - now]);
        now = 1 - now;
    }
    return &turns[now];
}

/* What the points' separations are to be: from `least`, the pair's, which rounding may miss, to `most`. */
typedef struct range {
    double least;
    double most;
} range;

/* Points of the clipped feature with their separations, along `up`. */
static void measure(const carom_feature *reference, const polygon *clipped, const double up[3], range within,
                    candidates *found) {
    const double offset = carom_vector_dot(reference->normal, reference->point[0]);
    const double cosine = carom_vector_dot(reference->normal, up);
    found->count = 0;
    for (uint32_t n = 0; n < clipped->count; n++) {
        const double *p = clipped->point[n];
        const double height = (carom_vector_dot(reference->normal, p) - offset) / cosine;
        const double separation = carom_greater(height, within.least);
        if (separation <= within.most) {
            found->separation[found->count] = separation;
            carom_vector_add(p, -0.5 * separation, up, found->point[found->count++]);
        }
    }
}

static void move(candidates *found, uint32_t from, uint32_t to) {
    double p[3];
    const double separation = found->separation[from];
    memcpy(p, found->point[from], sizeof p);
    memcpy(found->point[from], found->point[to], sizeof p);
    memcpy(found->point[to], p, sizeof p);
    found->separation[from] = found->separation[to];
    found->separation[to] = separation;
}

/* Twice the area of the triangle of points a, b and c, counterclockwise seen from the normal. */
static double area(const candidates *found, uint32_t a, uint32_t b, uint32_t c, const double normal[3]) {
    double e[3];
    double f[3];
    double cross[3];
    for (int d = 0; d < 3; d++) {
        e[d] = found->point[b][d] - found->point[a][d];
        f[d] = found->point[c][d] - found->point[a][d];
    }
    carom_vector_cross(e, f, cross);
    return carom_vector_dot(cross, normal);
}

static double distance(const candidates *found, uint32_t a, uint32_t b) {
    double e[3];
    for (int d = 0; d < 3; d++) {
        e[d] = found->point[b][d] - found->point[a][d];
    }
    return carom_vector_dot(e, e);
}

/* What points are worth. */
typedef struct measures {
    double normal[3];
    double deep; /* separations up to this one are as good as one another: which is the least may be rounding */
    double turn; /* the sign of the area of the first three */
} measures;

/* How much point n adds to the first `have` points. */
static double worth(const candidates *found, uint32_t have, uint32_t n, const measures *by) {
    const double *normal = by->normal;
    const double turn = by->turn;
    if (have == 0) {
        return -carom_greater(found->separation[n], by->deep);
    }
    if (have == 1) {
        return distance(found, 0, n);
    }
    if (have == 2) {
        return fabs(area(found, 0, 1, n, normal));
    }
    const double beyond_01 = -turn * area(found, 0, 1, n, normal);
    const double beyond_12 = -turn * area(found, 1, 2, n, normal);
    const double beyond_20 = -turn * area(found, 2, 0, n, normal);
    return carom_greater(beyond_01, carom_greater(beyond_12, beyond_20));
}

/* The four that span the most: the deepest, the farthest from it, the greatest triangle, the farthest outside it. */
static void choose(candidates *found, const double normal[3], double alike) {
    const uint32_t wanted = found->count < 4 ? found->count : 4;
    measures by = {.normal = {normal[0], normal[1], normal[2]}, .deep = HUGE_VAL, .turn = 1.0};
    for (uint32_t n = 0; n < found->count; n++) {
        by.deep = carom_lesser(found->separation[n] + alike, by.deep);
    }
    for (uint32_t have = 0; have < wanted && found->count > 4; have++) {
        by.turn = have == 3 && area(found, 0, 1, 2, normal) < 0.0 ? -1.0 : 1.0;
        uint32_t best = have;
        double most = worth(found, have, have, &by);
        for (uint32_t n = have + 1; n < found->count; n++) {
            const double next = worth(found, have, n, &by);
            best = next > most ? n : best;
            most = next > most ? next : most;
        }
        move(found, best, have);
    }
    found->count = wanted;
}

/* Faces of a box that is a segment are points. */
static bool is_face(const carom_feature *feature) {
    bool wide = false;
    for (uint32_t n = 1; n < feature->count && !wide; n++) {
        for (int d = 0; d < 3; d++) {
            wide = wide || feature->point[n][d] > feature->point[0][d] || feature->point[n][d] < feature->point[0][d];
        }
    }
    return feature->count >= 3 && wide;
}

/* Clips one feature by the other. False if neither is a face that is parallel enough. */
static bool clip_features(const carom_posed *i, const carom_posed *k, const double normal[3], range within,
                          candidates *found) {
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    carom_feature of_i;
    carom_feature of_k;
    polygon turns[2];
    found->count = 0;
    if (carom_feature_cosine(i, back) < CAROM_MANIFOLD_PARALLEL &&
        carom_feature_cosine(k, normal) < CAROM_MANIFOLD_PARALLEL) {
        return false;
    }
    carom_feature_find(i, back, &of_i);
    carom_feature_find(k, normal, &of_k);
    const double cosine_i = is_face(&of_i) ? -carom_vector_dot(of_i.normal, normal) : 0.0;
    const double cosine_k = is_face(&of_k) ? carom_vector_dot(of_k.normal, normal) : 0.0;
    const bool of_k_leads = cosine_k >= cosine_i;
    const carom_feature *reference = of_k_leads ? &of_k : &of_i;
    const carom_feature *incident = of_k_leads ? &of_i : &of_k;
    const bool is_parallel = carom_greater(cosine_i, cosine_k) >= CAROM_MANIFOLD_PARALLEL;
    if (is_parallel && incident->count >= 2) {
        const double *up = of_k_leads ? normal : back;
        measure(reference, clip_all(reference, incident, up, turns), up, within, found);
    }
    return is_parallel;
}

/* The ends of the line along which shapes touch by their edges, or round sides. */
static void take_edges(const carom_posed *i, const carom_posed *k, const double normal[3], range within,
                       candidates *found) {
    carom_edges ends;
    carom_edges_find(i, k, normal, &ends);
    for (uint32_t n = 0; n < ends.count; n++) {
        if (ends.separation[n] <= within.most) {
            found->separation[found->count] = carom_greater(ends.separation[n], within.least);
            memcpy(found->point[found->count++], ends.point[n], sizeof ends.point[n]);
        }
    }
}

/* All points of a shape's feature are near or behind the plane of a half-space k, or they are dropped. */
static void drop_on_plane(const carom_posed *i, const carom_posed *k, const double normal[3], range within,
                          candidates *found) {
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    carom_feature of_i;
    polygon points;
    carom_feature plane = {.count = 1, .normal = {normal[0], normal[1], normal[2]}};
    memcpy(plane.point[0], k->at, sizeof plane.point[0]);
    carom_feature_find(i, back, &of_i);
    points.count = of_i.count;
    memcpy(points.point, of_i.point, of_i.count * sizeof points.point[0]);
    measure(&plane, &points, normal, within, found);
}

static bool is_round(carom_shape_kind kind) {
    return kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_ELLIPSOID;
}

bool carom_manifold_is_point(carom_shape_kind i, carom_shape_kind k) {
    const bool plane = i == CAROM_SHAPE_HALF_SPACE || k == CAROM_SHAPE_HALF_SPACE;
    return !plane && (is_round(i) || is_round(k));
}

double carom_manifold_point(const carom_gap *gap, double point[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] = 0.5 * (gap->point_i[d] + gap->point_k[d]);
    }
    return 0.5 * (gap->lower + gap->upper);
}

/* Where to put a point: in place of the nearest one within `near` of it, else at the end. */
static uint32_t place_for(const candidates *found, const double point[3], double near) {
    uint32_t place = found->count < CLIPPED_MAX ? found->count : CLIPPED_MAX - 1;
    double least = near * near;
    for (uint32_t n = 0; n < found->count; n++) {
        double between[3];
        carom_vector_add(found->point[n], -1.0, point, between);
        const double square = carom_vector_dot(between, between);
        place = square <= least ? n : place;
        least = carom_lesser(square, least);
    }
    return place;
}

/* Makes sure that some point has the pair's separation: the witness points do. They may lie beside the feature, as on
 * the cap of a capsule that is a little tilted: then they take the place of its end. */
static void add_witness(const carom_gap *gap, double s, double reach, candidates *found) {
    for (uint32_t n = 0; n < found->count; n++) {
        if (fabs(found->separation[n] - s) <= CAROM_MANIFOLD_ALIKE * reach) {
            return;
        }
    }
    double point[3];
    const double separation = carom_manifold_point(gap, point);
    const uint32_t place = place_for(found, point, CAROM_MANIFOLD_SLACK * reach);
    memcpy(found->point[place], point, sizeof point);
    found->separation[place] = separation;
    found->count = place < found->count ? found->count : place + 1;
}

/* Any two shapes that may touch in more than a point, but two boxes. */
static uint32_t find_general(const carom_posed *i, const carom_posed *k, const carom_gap *gap, double margin,
                             carom_manifold_points *to) {
    const double reach = carom_lesser(i->shape->reach, k->shape->reach);
    const double s = 0.5 * (gap->lower + gap->upper);
    const range within = {s, carom_greater(carom_greater(s, 0.0) + CAROM_MANIFOLD_SLACK * reach, margin)};
    const double back[3] = {-gap->normal[0], -gap->normal[1], -gap->normal[2]};
    candidates found;
    if (k->shape->kind == CAROM_SHAPE_HALF_SPACE) {
        drop_on_plane(i, k, gap->normal, within, &found);
    } else if (i->shape->kind == CAROM_SHAPE_HALF_SPACE) {
        drop_on_plane(k, i, back, within, &found);
    } else if (!clip_features(i, k, gap->normal, within, &found)) {
        take_edges(i, k, gap->normal, within, &found);
    }
    add_witness(gap, s, reach, &found);
    choose(&found, gap->normal, CAROM_MANIFOLD_ALIKE * reach);
    memset(to, 0, sizeof *to);
    memcpy(to->point, found.point, found.count * sizeof to->point[0]);
    memcpy(to->separation, found.separation, found.count * sizeof to->separation[0]);
    carom_manifold_order(to, found.count);
    return found.count;
}

uint32_t carom_manifold_find(const carom_posed *i, const carom_posed *k, const carom_gap *gap, double margin,
                             carom_manifold_points *found) {
    if (i->shape->kind == CAROM_SHAPE_BOX && k->shape->kind == CAROM_SHAPE_BOX) {
        const carom_boxes_limits limits = {carom_gap_reach(i->shape, k->shape), margin};
        return carom_boxes_manifold_find(i, k, gap, limits, found);
    }
    if (carom_manifold_is_point(i->shape->kind, k->shape->kind)) {
        memset(found, 0, sizeof *found);
        found->separation[0] = carom_manifold_point(gap, found->point[0]);
        return 1;
    }
    return find_general(i, k, gap, margin, found);
}
