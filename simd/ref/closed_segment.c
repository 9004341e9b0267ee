/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Spheres, capsules and lines. In: two shapes whose cores are a point, a segment or a line. Out: the distance of the
 * cores, less the radii. (In space cores so thin can always be moved apart, so their depth is 0.)
 *
 * Closest points of two segments after Ericson, "Real-Time Collision Detection", 5.1.9. Whatever they are, they prove
 * the upper bound. The plane between them proves the lower one. Its normal is computed at right angles to the segments
 * that it meets inside, so that rounding tilts it by no more than that, however close or parallel the segments are. */
#include "simd/ref/closed_segment.h"
#include "simd/ref/closed_work.h"

/* Two segments: c + s u for i with |s| <= h, and the same for k. */
typedef struct segment_pair {
    double between[3]; /* from k's centre to i's */
    double u[2][3];    /* unit vectors */
    double h[2];
    double across[3]; /* k's direction less its part along i's */
    double s[2];      /* where the closest points are */
    double r[3];      /* from k's closest point to i's */
} segment_pair;

void carom_closed_segment_spheres(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double between[3];
    carom_closed_between(i, k, between);
    double *n = gap->normal;
    n[0] = 1.0;
    n[1] = 0.0;
    n[2] = 0.0;
    (void)carom_vector_unit(between, n);
    const double radius = i->shape->radius + k->shape->radius;
    const double s = carom_vector_dot(between, n) - radius;
    carom_vector_add(i->at, -i->shape->radius, n, gap->point_i);
    carom_vector_add(k->at, k->shape->radius, n, gap->point_k);
    carom_closed_bracket(s, s, carom_closed_sum(between) + radius, gap);
}

/* Half the length. A sphere's is 0, and that of a line more than enough to face all of the other. */
static double half_length(const carom_posed *posed, const carom_posed *other, const double between[3]) {
    return posed->shape->kind == CAROM_SHAPE_LINE ? 2.0 * (carom_closed_sum(between) + other->shape->extent[2])
                                                  : posed->shape->extent[2];
}

/* A point takes the direction of the other segment. */
static void make_pair(const carom_posed *i, const carom_posed *k, segment_pair *pair) {
    carom_closed_between(i, k, pair->between);
    pair->h[0] = half_length(i, k, pair->between);
    pair->h[1] = half_length(k, i, pair->between);
    carom_closed_axis(pair->h[0] > 0.0 ? i : k, pair->u[0]);
    carom_closed_axis(pair->h[1] > 0.0 ? k : i, pair->u[1]);
    const double *u = pair->u[0];
    carom_vector_add(pair->u[1], -carom_vector_dot(u, pair->u[1]), u, pair->across);
    carom_vector_add(pair->across, -carom_vector_dot(u, pair->across), u, pair->across);
}

/* Of parallel segments: the middle of what k has beside i, or its end nearest to i. */
static double middle_beside(const segment_pair *pair, double along_k) {
    const double lo = carom_greater(along_k - pair->h[0], -pair->h[1]);
    const double hi = carom_lesser(along_k + pair->h[0], pair->h[1]);
    return 0.5 * (lo + hi);
}

static void set_closest(segment_pair *pair) {
    const double *w = pair->across;
    const double cosine = carom_vector_dot(pair->u[0], pair->u[1]);
    const double along_i = carom_vector_dot(pair->between, pair->u[0]);
    const double along_k = carom_vector_dot(pair->between, pair->u[1]);
    const double square = carom_vector_dot(w, w);
    const double crossing = carom_vector_dot(pair->between, w) / (square > CAROM_CLOSED_PARALLEL_SQUARE ? square : 1.0);
    double t = square > CAROM_CLOSED_PARALLEL_SQUARE ? crossing : middle_beside(pair, along_k);
    t = carom_closed_clamp(t, pair->h[1]);
    pair->s[0] = carom_closed_clamp(cosine * t - along_i, pair->h[0]);
    pair->s[1] = carom_closed_clamp(along_k + cosine * pair->s[0], pair->h[1]);
    carom_vector_add(pair->between, pair->s[0], pair->u[0], pair->r);
    carom_vector_add(pair->r, -pair->s[1], pair->u[1], pair->r);
}

/* At right angles to both segments, towards i. */
static void set_common(const segment_pair *pair, double n[3]) {
    const double *u = pair->u[0];
    if (carom_vector_dot(pair->across, pair->across) > CAROM_CLOSED_PARALLEL_SQUARE) {
        carom_vector_cross(u, pair->across, n);
    } else {
        double away[3];
        carom_vector_add(pair->r, -carom_vector_dot(pair->r, u), u, away);
        carom_vector_add(away, -carom_vector_dot(away, u), u, away);
        carom_closed_across(u, n);
        (void)carom_vector_unit(away, n);
    }
    const double sign = carom_vector_dot(n, pair->between) < 0.0 ? -1.0 : 1.0;
    (void)carom_vector_unit(n, n);
    for (int d = 0; d < 3; d++) {
        n[d] *= sign;
    }
}

/* Along r, less its part along segment d, if d is one. False if nothing is left. */
static bool set_apart(const segment_pair *pair, int d, double n[3]) {
    double away[3] = {pair->r[0], pair->r[1], pair->r[2]};
    if (d >= 0) {
        carom_vector_add(away, -carom_vector_dot(away, pair->u[d]), pair->u[d], away);
        carom_vector_add(away, -carom_vector_dot(away, pair->u[d]), pair->u[d], away);
    }
    return carom_vector_unit(away, n);
}

/* What n proves: the height of i over k along it. */
static double height_along(const segment_pair *pair, const double n[3]) {
    return carom_vector_dot(pair->between, n) - pair->h[0] * fabs(carom_vector_dot(pair->u[0], n)) -
           pair->h[1] * fabs(carom_vector_dot(pair->u[1], n));
}

/* The direction that proves most, the first of several; returns what it proves. The common normal is best if both
 * segments meet the plane inside; else one of the others. Which one is a matter of rounding if segments are close. */
static double set_normal(const segment_pair *pair, double n[3]) {
    set_common(pair, n);
    double best = height_along(pair, n);
    for (int segment = -1; segment < 2; segment++) {
        double apart[3];
        if (set_apart(pair, segment, apart)) {
            const double height = height_along(pair, apart);
            for (int d = 0; d < 3; d++) {
                n[d] = height > best ? apart[d] : n[d];
            }
            best = carom_greater(height, best);
        }
    }
    return best;
}

static void set_points(const carom_posed *i, const carom_posed *k, const segment_pair *pair, carom_gap *gap) {
    carom_vector_add(i->at, pair->s[0], pair->u[0], gap->point_i);
    carom_vector_add(k->at, pair->s[1], pair->u[1], gap->point_k);
    carom_vector_add(gap->point_i, -i->shape->radius, gap->normal, gap->point_i);
    carom_vector_add(gap->point_k, k->shape->radius, gap->normal, gap->point_k);
}

/* A line has no radius. */
void carom_closed_segment_pair(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    segment_pair pair;
    double along[3] = {0.0, 0.0, 0.0};
    make_pair(i, k, &pair);
    set_closest(&pair);
    const double lower = carom_greater(set_normal(&pair, gap->normal), 0.0);
    (void)carom_vector_unit(pair.r, along);
    const double upper = carom_greater(carom_vector_dot(pair.r, along), lower);
    const double radius = i->shape->radius + k->shape->radius;
    const double size = carom_closed_sum(pair.between) + pair.h[0] + pair.h[1] + radius;
    set_points(i, k, &pair, gap);
    carom_closed_bracket(lower - radius, upper - radius, size, gap);
}

/* Lines that are not parallel are as far apart as their common normal says, and its rounding grows as their angle
 * shrinks. */
void carom_closed_segment_lines(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    segment_pair pair;
    carom_closed_between(i, k, pair.between);
    const double size = carom_closed_sum(pair.between);
    carom_closed_axis(i, pair.u[0]);
    carom_closed_axis(k, pair.u[1]);
    const double *u = pair.u[0];
    carom_vector_add(pair.u[1], -carom_vector_dot(u, pair.u[1]), u, pair.across);
    carom_vector_add(pair.across, -carom_vector_dot(u, pair.across), u, pair.across);
    const double sine = carom_vector_length(pair.across);
    const bool parallel = sine <= CAROM_CLOSED_PARALLEL;
    const double reach = parallel ? size : 2.0 * size / sine;
    pair.h[0] = reach;
    pair.h[1] = reach;
    if (parallel) {
        pair.across[0] = pair.across[1] = pair.across[2] = 0.0;
    }
    set_closest(&pair);
    set_common(&pair, gap->normal);
    const double s = carom_greater(carom_vector_dot(pair.between, gap->normal), 0.0);
    for (int d = 0; d < 3; d++) {
        gap->point_i[d] = i->at[d] + pair.s[0] * pair.u[0][d];
        gap->point_k[d] = k->at[d] + pair.s[1] * pair.u[1][d];
    }
    carom_closed_bracket(s, s, parallel ? size : size / sine, gap);
}
