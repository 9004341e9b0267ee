/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The support function h of the Minkowski difference of two cores near a direction u: its value, slope and curvature,
 * and the terms that it is made of, each of which is known in all directions.
 *
 * h is a sum of three kinds of terms. For a point p of the difference it is p.u. For an edge from p to q it is
 *
 *     max(p.u, q.u) = m.u + |e.u|,    m = (p + q) / 2,  e = (p - q) / 2
 *
 * and for a round body, an ellipsoid or a disc, |S u|, where S stretches space by its semi-axes. A box has three edges,
 * a segment one, a cylinder a disc and an edge. A cone has an edge from its apex to the point of its base that is
 * farthest along u. Of a hull only the vertex there is known, and one edge if one is active: h is at least the model's
 * value.
 *
 * An edge may be active: then u stays in the plane e.u = 0, where both ends are equally far, and the edge's point is
 * m + t e for a weight t from -1 to 1 that is to be found. Else the weight is 1 or -1, that of the farther end. */
#ifndef CAROM_SIMD_NEWTON_MODEL_H
#define CAROM_SIMD_NEWTON_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/convex.h"
#include "simd/posed.h"
#include "simd/ref/extent.h"

enum {
    CAROM_MODEL_EDGES = 4, /* of a box, and of a cylinder, cone or hull */
    CAROM_MODEL_ROUNDS = 2,
    CAROM_MODEL_NONE = CAROM_HULL_POINTS_MAX /* no vertex */
};

typedef struct carom_model_edge {
    double half[3];   /* e */
    double across[2]; /* its components along the tangents */
    double square;    /* of their length */
    double offset;    /* e.u */
    double weight;    /* t */
    bool active;
    uint32_t core; /* 0: i's, 1: k's */
    int round;     /* the number of a cone's base, on which q lies; -1: q is a point */
} carom_model_edge;

typedef struct carom_model_round {
    double axis_most;    /* the greatest semi-axis */
    double length;       /* |S u| */
    double point[3];     /* S^2 u / |S u|, the point that is farthest along u */
    double tangential;   /* the length of its components along the tangents */
    double curvature[3]; /* second derivatives of |S u| along the tangents: 00, 01, 11 */
    double weight;       /* of a cone's base: the weight of q in the edge's point; else 1 */
    uint32_t core;
} carom_model_round;

/* Of two cores of which one is round. */
typedef struct carom_support_model {
    const carom_posed *core[2]; /* i and k */
    double u[3];                /* the direction, of length 1 */
    double tangent[2][3];       /* unit vectors at right angles to it and to each other */
    uint32_t vertex[2][2];      /* of a hull: the two ends of its edge; the second may be NONE */
    uint32_t hull_edge[2];      /* and its number */
    double middle[2][3];        /* the sum of each core's points and middles of edges, as parts of the difference */
    double ball[2];             /* the radius of the ball by which an ellipsoid's core is smaller than the ellipsoid */
    uint32_t edge_count;
    uint32_t round_count;
    carom_model_edge edge[CAROM_MODEL_EDGES];
    carom_model_round round[CAROM_MODEL_ROUNDS];

    double value;        /* h(u) and both balls' radii */
    double slope[2];     /* the gradient along the tangents, without active edges */
    double curvature[3]; /* second derivatives along the tangents */
} carom_support_model;

/* Differences of sizes whose squares and fourth powers are far from the ends of the range of doubles. */
static inline bool carom_model_fits(double size) {
    return size > 0x1p-160 && size < 0x1p160;
}

/* Whether the core has a round side. */
static inline bool carom_model_is_round(const carom_posed *core) {
    return carom_extent_is_curved(core->shape->kind);
}

/* Begins with the direction of u, which is not 0. */
void carom_model_begin(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3]);

/* Makes the model for u, which has been set. False where the curvature of a round body is too great. */
bool carom_model_evaluate(carom_support_model *model);

/* Sums the terms anew after edges have become active or inactive, or have new weights. */
void carom_model_update(carom_support_model *model);

/* The vertex of core c, a hull, that is farthest along u in the difference. */
uint32_t carom_model_farthest(const carom_support_model *model, uint32_t c);

/* A vertex of core c, a hull, as a part of the difference. */
void carom_model_vertex(const carom_support_model *model, uint32_t c, uint32_t vertex, double point[3]);

/* The point of the difference whose product with u is h(u), by the weights of active edges. It combines points of both
 * cores, to rounding. */
void carom_model_answer(const carom_support_model *model, carom_difference_point *point);

#endif
