/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a polytope in a difference. Out: its depth, if that can be proved from how the difference bends. */
#include "simd/newton/cap.h"

#include <math.h>

#include "simd/newton/newton.h"

/* A proof may have several caps, for instance where cores have one centre: then the difference is as wide in opposite
 * directions. That is tried from so many points on. */
enum { CAPS_MOST = 4, POINTS_MANY = 24 };

/* Tangents of the angles of caps that are tried: 1, and each time so much less. */
enum { TRIES_MAX = 16 };
static const double SHRINK = 0.7;

/* Of the widest. */
static const double COSINE_LEAST = 0.70710678118654752;

/* The last of Newton's steps is less than this part of the bracket that is asked for, relative to the difference's
 * size: where an edge is held, K falls short in proportion to it. */
static const double STEP_PART = 0.0625;

/* m is to be at least this part of H. */
static const double BEND = 0x1p-6;

/* Bounds the rounding of M, relative to the size of its terms, and of cosines. */
static const double ERROR = 0x1p-40;

/* Bounds the rounding of g, relative to the difference's size. */
static const double SLOPE_ERROR = 0x1p-46;

/* How far to either side an edge's point may move, as a part of the whole edge. */
static double sway(const carom_support_model *model, const carom_model_edge *edge, double s) {
    if (edge->round < 0) {
        return 0.5 * (1.0 - fabs(edge->weight));
    }
    const double base = model->round[edge->round].weight;
    const double part = (s < 0.0625 ? 4.0 * s : 0.25) * base;
    return part < 1.0 - base ? part : 1.0 - base;
}

/* Adds an edge's part of M, and its size. */
static void add_edge(const carom_support_model *model, const carom_model_edge *edge, double s, double m[3],
                     double *size) {
    const double bend = 4.0 * sway(model, edge, s) / (sqrt(edge->square) * s);
    m[0] += bend * edge->across[0] * edge->across[0];
    m[1] += bend * edge->across[0] * edge->across[1];
    m[2] += bend * edge->across[1] * edge->across[1];
    *size += bend * edge->square;
}

/* The weight of a round body's bend: of a cone's base as the edge sways. */
static double bend_weight(const carom_support_model *model, uint32_t round, double s) {
    double weight = model->round[round].weight;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        const carom_model_edge *edge = &model->edge[n];
        if (edge->held && edge->round == (int)round) {
            weight -= sway(model, edge, s);
        }
    }
    return weight;
}

/* m for a cap with tangent s, rounded down; less than 0 if M is not enough. */
static double find_bend(const carom_support_model *model, double s) {
    double m[3] = {0.0, 0.0, 0.0};
    double size = model->value;
    for (uint32_t n = 0; n < model->round_count; n++) {
        const carom_model_round *round = &model->round[n];
        const double along = round->length + s * round->lean;
        const double across = s * round->most;
        const double part =
            bend_weight(model, n, s) * 2.0 * round->length / (along + sqrt(along * along + across * across));
        for (int d = 0; d < 3; d++) {
            m[d] += part * round->bend[d];
        }
        size += 2.0 * round->most * (round->most / round->length);
    }
    for (uint32_t n = 0; n < model->edge_count; n++) {
        if (model->edge[n].held) {
            add_edge(model, &model->edge[n], s, m, &size);
        }
    }
    const double middle = 0.5 * (m[0] + m[2]);
    const double half = 0.5 * (m[0] - m[2]);
    return middle - sqrt(half * half + m[1] * m[1]) - model->value - ERROR * size;
}

/* K for that cap. The difference's error bounds the rounding of h0, too: of poses, less than 2^-48 of its size; of the
 * points that h0 is of, up to six that are sums of three products, and of their product with u, less than 2^-48. */
static double find_bound(const carom_support_model *model, const carom_difference *difference, double s, double bend) {
    double slope[2] = {model->slope[0], model->slope[1]};
    double value = model->value;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        const carom_model_edge *edge = &model->edge[n];
        if (edge->held) {
            slope[0] += edge->weight * edge->across[0];
            slope[1] += edge->weight * edge->across[1];
            value += edge->weight * edge->at - fabs(edge->at) - 2.0 * sway(model, edge, s) * fabs(edge->at);
        }
    }
    const double steep = sqrt(slope[0] * slope[0] + slope[1] * slope[1]) + SLOPE_ERROR * difference->size;
    return value - model->ball[0] - model->ball[1] - steep * steep / (2.0 * bend) - difference->error;
}

bool carom_cap_find(const carom_support_model *model, const carom_difference *difference, carom_cap *cap) {
    double s = 1.0;
    double bend = find_bend(model, s);
    for (uint32_t n = 1; n < TRIES_MAX && !(bend > BEND * model->value); n++) {
        s *= SHRINK;
        bend = find_bend(model, s);
    }
    for (int d = 0; d < 3; d++) {
        cap->u[d] = model->u[d];
    }
    cap->cosine = 1.0 / sqrt(1.0 + s * s) + ERROR;
    cap->bound = find_bound(model, difference, s, bend);
    return bend > BEND * model->value && cap->bound > 0.0;
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

/* Whether the cap holds all directions that are nearer to a normal than the angle of this cosine, which is from 0 to 1:
 * both angles together are less than the cap's. */
static bool holds_normal(const carom_cap *cap, const double normal[3], double cosine) {
    double cross[3];
    carom_vector_cross(normal, cap->u, cross);
    const double along = carom_vector_dot(normal, cap->u);
    const double across = carom_vector_length(cross);
    return along > 0.0 && along * cosine - across * sqrt(1.0 - cosine * cosine) > cap->cosine;
}

/* What is proved so far: caps, and the direction and the point of the first one. */
typedef struct proof {
    carom_cap cap[CAPS_MOST];
    uint32_t count;
    double bound; /* the least of the caps' */
    double lower; /* a bracket's, from u */
    carom_difference_point point;
} proof;

/* Whether a cap has all directions in which a face leaves the bound open. `distance` is the face's, rounded down. */
static bool is_covered(const proof *p, const carom_epa_search *search, uint32_t face, const double normal[3],
                       double distance) {
    bool covered = false;
    for (uint32_t n = 0; n < p->count && !covered; n++) {
        covered = holds_face(&p->cap[n], search, face) ||
                  (distance > 0.0 && holds_normal(&p->cap[n], normal, distance / p->bound));
    }
    return covered;
}

/* The nearest face that leaves the bound open, and its normal; NONE if there is none. */
static uint32_t find_open(const proof *p, const carom_epa_search *search, const carom_cap_planes *planes,
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

/* Adds the cap around the direction that Newton's method finds from u. False if there is none. */
static bool add_cap(const carom_epa_search *search, const double u[3], proof *p) {
    const carom_difference *difference = &search->difference;
    const carom_goal *goal = search->goal;
    const double step = STEP_PART * goal->width * (goal->reach / difference->size);
    carom_support_model model;
    carom_cap *cap = &p->cap[p->count];
    if (!carom_newton_least(&model, difference->i, difference->k, u, step) ||
        !carom_cap_find(&model, difference, cap)) {
        return false;
    }
    if (p->count == 0) {
        const double back[3] = {-cap->u[0], -cap->u[1], -cap->u[2]};
        const double least = carom_difference_support(difference, back, &p->point);
        p->lower = least / carom_vector_length(back) - difference->error;
        carom_model_answer(&model, &p->point);
    }
    p->bound = cap->bound < p->bound ? cap->bound : p->bound;
    p->count++;
    return carom_goal_reached(goal, p->lower, -p->bound);
}

/* Whether the proof may succeed: the widest cap would do around the direction with which the search begins, for the
 * depth that this direction has. */
static bool is_likely(const carom_epa_search *search, const carom_cap_planes *planes, const double u[3]) {
    proof p = {.cap = {{{u[0], u[1], u[2]}, COSINE_LEAST, 0.0}}, .count = 1, .bound = -search->bracket->lower};
    double normal[3];
    return find_open(&p, search, planes, normal) == CAROM_POLYTOPE_NONE;
}

/* Covers what is open with one cap after the other. */
static bool prove(const carom_epa_search *search, const carom_cap_planes *planes, double u[3], proof *p) {
    const uint32_t most = search->polytope.point_count < POINTS_MANY ? 1 : CAPS_MOST;
    uint32_t open = 0;
    while (open != CAROM_POLYTOPE_NONE) {
        if (p->count == most || !add_cap(search, u, p)) {
            return false;
        }
        open = find_open(p, search, planes, u);
    }
    return true;
}

bool carom_cap_prove(carom_epa_search *search, const carom_cap_planes *planes) {
    const double *normal = search->bracket->normal;
    const uint32_t points = search->polytope.point_count;
    double u[3] = {-normal[0], -normal[1], -normal[2]};
    if (points < POINTS_MANY && !is_likely(search, planes, u)) {
        search->cap_due = points + 2;
        return false;
    }
    proof p = {.count = 0, .bound = HUGE_VAL};
    search->cap_due = points + points / 2;
    if (!prove(search, planes, u, &p)) {
        return false;
    }
    const double back[3] = {-p.cap[0].u[0], -p.cap[0].u[1], -p.cap[0].u[2]};
    carom_bracket_prove(search->bracket, p.lower, -p.bound, back, &p.point);
    return true;
}
