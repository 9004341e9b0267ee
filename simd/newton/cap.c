/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a polytope in a difference. Out: its depth, if that can be proved from the curvature of the difference. */
#include "simd/newton/cap.h"

#include <math.h>

#include "simd/newton/newton.h"

/* Points of a polytope from which on a proof may have several caps. */
enum { CAPS_MOST = 4, POINTS_MANY = 24 };

/* Points after which it is tried again: where even the widest cap would not do, and where one was looked for, the part
 * of those that there are. */
enum { POINTS_UNLIKELY = 2, POINTS_TRIED = 2 };

/* Caps that are tried: the widest one has this s and this cosine, each other one so much of the s before. */
enum { TRIES_MAX = 16 };
static const double WIDEST = 1.0;
static const double WIDEST_COSINE = 0.70710678118654752;
static const double SHRINK = 0.7;

/* x is to be at least this part of H. */
static const double EXCESS_LEAST = 0x1p-6;

/* The most that c is of a cone's k, and, for narrow caps, of k s: the curvature that it costs is then of the order of
 * what wider caps lose anyway. */
static const double CONE_SHARE = 0.25;
static const double CONE_SHARE_NARROW = 4.0;

/* Bounds the rounding of M, relative to the size of its terms, and of cosines. */
static const double ERROR = 0x1p-40;

/* Bounds the rounding of y, relative to the difference's size: directions of S u are off by up to 2^-42 where |S u| is
 * only 2^-10 of the greatest semi-axis. */
static const double SLOPE_ERROR = 0x1p-41;

/* c of an edge. */
static double edge_range(const carom_support_model *model, const carom_model_edge *edge, double s) {
    if (edge->round < 0) {
        return 0.5 * (1.0 - fabs(edge->weight));
    }
    const double base = model->round[edge->round].weight;
    const double narrow = CONE_SHARE_NARROW * s;
    const double share = (narrow < CONE_SHARE ? narrow : CONE_SHARE) * base;
    return share < 1.0 - base ? share : 1.0 - base;
}

/* Adds an edge's part of M, and its size. */
static void add_edge(const carom_support_model *model, const carom_model_edge *edge, double s, double m[3],
                     double *size) {
    const double scale = 4.0 * edge_range(model, edge, s) / (sqrt(edge->square) * s);
    m[0] += scale * edge->across[0] * edge->across[0];
    m[1] += scale * edge->across[0] * edge->across[1];
    m[2] += scale * edge->across[1] * edge->across[1];
    *size += scale * edge->square;
}

/* With how much a round body's curvature counts: of a cone's base k - c. */
static double curvature_weight(const carom_support_model *model, uint32_t round, double s) {
    double weight = model->round[round].weight;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        const carom_model_edge *edge = &model->edge[n];
        if (edge->active && edge->round == (int)round) {
            weight -= edge_range(model, edge, s);
        }
    }
    return weight;
}

/* Adds a round body's part of M, and its size. */
static void add_round(const carom_support_model *model, uint32_t n, double s, double m[3], double *size) {
    const carom_model_round *round = &model->round[n];
    const double along = round->length + s * round->tangential;
    const double across = s * round->axis_most;
    const double part =
        curvature_weight(model, n, s) * 2.0 * round->length / (along + sqrt(along * along + across * across));
    for (int d = 0; d < 3; d++) {
        m[d] += part * round->curvature[d];
    }
    *size += 2.0 * round->axis_most * (round->axis_most / round->length);
}

/* x of a cap, rounded down; less than 0 if M is not enough. */
static double find_excess(const carom_support_model *model, double s) {
    double m[3] = {0.0, 0.0, 0.0};
    double size = model->value;
    for (uint32_t n = 0; n < model->round_count; n++) {
        add_round(model, n, s, m, &size);
    }
    for (uint32_t n = 0; n < model->edge_count; n++) {
        if (model->edge[n].active) {
            add_edge(model, &model->edge[n], s, m, &size);
        }
    }
    const double middle = 0.5 * (m[0] + m[2]);
    const double half = 0.5 * (m[0] - m[2]);
    return middle - sqrt(half * half + m[1] * m[1]) - model->value - ERROR * size;
}

/* K of that cap. The difference's error bounds the rounding of h0, too: poses are off by less than 2^-48 of its size,
 * and so is the product of u with the sum of up to six points, each of them a rotation of three lengths. */
static double find_bound(const carom_support_model *model, const carom_difference *difference, double s,
                         double excess) {
    double slope[2] = {model->slope[0], model->slope[1]};
    double value = model->value;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        const carom_model_edge *edge = &model->edge[n];
        if (edge->active) {
            slope[0] += edge->weight * edge->across[0];
            slope[1] += edge->weight * edge->across[1];
            value += edge->weight * edge->offset - (1.0 + 2.0 * edge_range(model, edge, s)) * fabs(edge->offset);
        }
    }
    const double y = sqrt(slope[0] * slope[0] + slope[1] * slope[1]) + SLOPE_ERROR * difference->size;
    return value - model->ball[0] - model->ball[1] - y * y / (2.0 * excess) - difference->error;
}

bool carom_cap_find(const carom_support_model *model, const carom_difference *difference, carom_cap *cap) {
    const double enough = EXCESS_LEAST * model->value;
    double s = WIDEST;
    double excess = find_excess(model, s);
    for (uint32_t n = 1; n < TRIES_MAX && !(excess > enough); n++) {
        s *= SHRINK;
        excess = find_excess(model, s);
    }
    if (!(excess > enough)) {
        return false;
    }
    for (int d = 0; d < 3; d++) {
        cap->u[d] = model->u[d];
    }
    cap->cosine = 1.0 / sqrt(1.0 + s * s) + ERROR;
    cap->bound = find_bound(model, difference, s, excess);
    return cap->bound > 0.0;
}

/* Whether all of a face lies in the cap, as seen from the origin. */
static bool holds_face(const carom_cap *cap, const carom_epa_search *search, uint32_t face) {
    bool holds = true;
    for (uint32_t e = 0; e < 3; e++) {
        const double *p = carom_polytope_corner(&search->polytope, face, e);
        const double least = cap->cosine * carom_vector_length(p) + 2.0 * search->difference.error;
        holds = holds && carom_vector_dot(p, cap->u) > least;
    }
    return holds;
}

/* Whether the cap holds all directions whose angle with a normal has at least this cosine, which is from 0 to 1: that
 * angle and the one between the normal and u make less than the cap's. The cosine has been rounded down by 2^-47 and
 * more of itself, in the face's distance, which is more than all rounding here. */
static bool holds_normal(const carom_cap *cap, const double normal[3], double cosine) {
    double cross[3];
    carom_vector_cross(normal, cap->u, cross);
    const double along = carom_vector_dot(normal, cap->u);
    const double across = carom_vector_length(cross);
    return along > 0.0 && along * cosine - across * sqrt(1.0 - cosine * cosine) > cap->cosine;
}

/* What is proved so far: caps, and a lower bound and a point from the first one's u. */
typedef struct cap_proof {
    carom_cap cap[CAPS_MOST];
    uint32_t count;
    double bound; /* K */
    double lower; /* of the signed distance */
    carom_difference_point point;
} cap_proof;

/* Whether a cap holds all directions in which a face may leave the bound open. `distance` is the face's, rounded down.
 */
static bool is_covered(const cap_proof *p, const carom_epa_search *search, uint32_t face, const double normal[3],
                       double distance) {
    bool covered = false;
    for (uint32_t n = 0; n < p->count && !covered; n++) {
        covered = holds_face(&p->cap[n], search, face) || holds_normal(&p->cap[n], normal, distance / p->bound);
    }
    return covered;
}

/* The nearest face that leaves the bound open, and its normal; NONE if there is none. */
static uint32_t find_open(const cap_proof *p, const carom_epa_search *search, const carom_cap_planes *planes,
                          double normal[3]) {
    uint32_t open = CAROM_POLYTOPE_NONE;
    double least = p->bound;
    for (uint32_t face = 0; face < search->polytope.face_count; face++) {
        const double distance = planes->distance[face * planes->distance_stride] - search->difference.error;
        if (distance < least) {
            const uint32_t at = face * planes->normal_stride;
            const double n[3] = {planes->normal[0][at], planes->normal[1][at], planes->normal[2][at]};
            if (!is_covered(p, search, face, n, distance)) {
                open = face;
                least = distance;
                memcpy(normal, n, sizeof n);
            }
        }
    }
    return open;
}

/* Adds the cap around the direction that Newton's method finds from u. False if there is none, or none that is enough
 * for the goal. */
static bool add_cap(const carom_epa_search *search, const double u[3], cap_proof *p) {
    const carom_difference *difference = &search->difference;
    const double tolerance = carom_newton_tolerance(search->goal, difference->size);
    carom_support_model model;
    carom_cap *cap = &p->cap[p->count];
    if (!carom_newton_least(&model, difference->i, difference->k, u, tolerance) ||
        !carom_cap_find(&model, difference, cap)) {
        return false;
    }
    if (p->count == 0) {
        const double back[3] = {-cap->u[0], -cap->u[1], -cap->u[2]};
        p->lower = carom_difference_lower(difference, back, &p->point);
        carom_model_answer(&model, &p->point);
    }
    p->bound = cap->bound < p->bound ? cap->bound : p->bound;
    p->count++;
    return p->lower <= -p->bound && carom_goal_reached(search->goal, p->lower, -p->bound);
}

/* Whether one cap may do: the widest one around u would, for the depth in that direction. */
static bool is_likely(const carom_epa_search *search, const carom_cap_planes *planes, const double u[3]) {
    const cap_proof p = {
        .cap = {{{u[0], u[1], u[2]}, WIDEST_COSINE, 0.0}}, .count = 1, .bound = -search->bracket->lower};
    double normal[3];
    return find_open(&p, search, planes, normal) == CAROM_POLYTOPE_NONE;
}

/* Adds caps until no face leaves the bound open: the first one from u, each other one from the normal of an open face.
 */
static bool prove(const carom_epa_search *search, const carom_cap_planes *planes, const double u[3], cap_proof *p) {
    const uint32_t most = search->polytope.point_count < POINTS_MANY ? 1 : CAPS_MOST;
    double from[3] = {u[0], u[1], u[2]};
    do {
        if (p->count == most || !add_cap(search, from, p)) {
            return false;
        }
    } while (find_open(p, search, planes, from) != CAROM_POLYTOPE_NONE);
    return true;
}

bool carom_cap_prove(carom_epa_search *search, const carom_cap_planes *planes) {
    const double *normal = search->bracket->normal;
    const double u[3] = {-normal[0], -normal[1], -normal[2]};
    const uint32_t points = search->polytope.point_count;
    if (points < POINTS_MANY && !is_likely(search, planes, u)) {
        search->cap_due = points + POINTS_UNLIKELY;
        return false;
    }
    cap_proof p = {.count = 0, .bound = HUGE_VAL};
    search->cap_due = points + points / POINTS_TRIED;
    if (!prove(search, planes, u, &p)) {
        return false;
    }
    const double back[3] = {-p.cap[0].u[0], -p.cap[0].u[1], -p.cap[0].u[2]};
    carom_bracket_set(search->bracket, p.lower, -p.bound, back, &p.point);
    return true;
}
