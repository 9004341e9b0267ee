/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The support function h of the Minkowski difference of two cores near a direction u: its value, slope and curvature,
 * and the parts that it is made of, each of which is known in all directions.
 *
 * h is a sum of three kinds of terms. For a point p of the difference it is p.u. For an edge from p to q it is
 *
 *     max(p.u, q.u) = m.u + |e.u|,    m = (p + q) / 2,  e = (p - q) / 2
 *
 * and for a round body, an ellipsoid or a disc, |S u|, where S stretches space by its semi-axes. A box has three edges,
 * a segment one, a cylinder a disc and an edge. A cone has an edge from its apex to the point of its base that is
 * farthest along u. Of a hull only the vertex there is known, and one edge if one has been asked for: h is at least
 * that.
 *
 * An edge may be held: then u stays where both its ends are as far, in the plane e.u = 0, and the edge's point is
 * m + t e for a weight t from -1 to 1 that is to be found. Else the weight is 1 or -1, that of the farther end. */
#ifndef CAROM_SIMD_NEWTON_MODEL_H
#define CAROM_SIMD_NEWTON_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/convex.h"
#include "simd/posed.h"

enum {
    CAROM_MODEL_EDGES = 4, /* of a box, and of a cylinder, cone or hull */
    CAROM_MODEL_ROUNDS = 2,
    CAROM_MODEL_NONE = CAROM_HULL_POINTS_MAX /* no vertex */
};

typedef struct carom_model_edge {
    double half[3];   /* e */
    double across[2]; /* along the tangents */
    double square;    /* of the length of that */
    double at;        /* e.u */
    double weight;    /* t */
    bool held;
    uint32_t core; /* 0: i's, 1: k's */
    int round;     /* a cone's base, on which q lies; -1: q is a point */
} carom_model_edge;

typedef struct carom_model_round {
    double most;     /* its greatest semi-axis */
    double length;   /* |S u| */
    double point[3]; /* S^2 u / |S u|, where it is farthest along u */
    double lean;     /* the length of that point's part along the tangents */
    double bend[3];  /* the second derivatives of |S u| along the tangents: 00, 01, 11 */
    double weight;   /* of a cone's base: that of q in the edge's point; else 1 */
    uint32_t core;
} carom_model_round;

/* Of two cores of which one is round. */
typedef struct carom_support_model {
    const carom_posed *core[2]; /* i and k */
    double u[3];                /* the direction, of length 1 */
    double tangent[2][3];       /* unit vectors at right angles to it and to each other */
    uint32_t vertex[2][2];      /* of a hull: the two ends of its edge; the second may be NONE */
    uint32_t hull_edge[2];      /* and its number */
    double middle[2][3];        /* of each core's part of the difference: the points, and middles of edges, together */
    double ball[2];             /* the core of an ellipsoid is smaller than that by so much, all around */
    uint32_t edge_count;
    uint32_t round_count;
    carom_model_edge edge[CAROM_MODEL_EDGES];
    carom_model_round round[CAROM_MODEL_ROUNDS];

    /* Of h and both balls, at u; for a hull it may be less. */
    double value;
    double slope[2]; /* along the tangents, without the edges that are held */
    double bend[3];  /* second derivatives, likewise */
} carom_support_model;

/* Differences of sizes whose squares and fourth powers are far from the ends of the range of doubles. */
static inline bool carom_model_fits(double size) {
    return size > 0x1p-160 && size < 0x1p160;
}

/* Whether cores of a kind have round sides. */
static inline bool carom_model_is_round_kind(carom_shape_kind kind) {
    return kind == CAROM_SHAPE_CYLINDER || kind == CAROM_SHAPE_CONE || kind == CAROM_SHAPE_ELLIPSOID;
}

static inline bool carom_model_is_round(const carom_posed *core) {
    return carom_model_is_round_kind(core->shape->kind);
}

/* Begins with direction u, of length 1. */
void carom_model_begin(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3]);

/* Makes the model for u, which has been set. False where a round body bends too sharply. */
bool carom_model_look(carom_support_model *model);

/* Sums anew after an edge has been held or let go. */
void carom_model_settle(carom_support_model *model);

/* The vertex of core c, a hull, that is farthest along u in the difference. */
uint32_t carom_model_farthest(const carom_support_model *model, uint32_t c);

/* A vertex of core c, a hull, as a part of the difference. */
void carom_model_vertex(const carom_support_model *model, uint32_t c, uint32_t vertex, double point[3]);

/* The point of the difference that the model is of, and its part in i: a combination of points of the cores, or beside
 * them by rounding. */
void carom_model_answer(const carom_support_model *model, carom_difference_point *point);

#endif
