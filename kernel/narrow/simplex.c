/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: up to four points. Out: the point of their hull that is closest to the origin.
 *
 * Every part of the simplex that has the newest point is a candidate: edges, and faces whose interior the origin
 * projects to. The closest candidate wins. Each is a weighted sum with weights that are not negative, so whatever is
 * chosen lies in the hull: rounding can make the answer worse, but never false.
 *
 * Near touch the length of the closest point is that of rounding, and its direction says nothing. So the direction of a
 * face is that of its normal, which depends on the points' differences only. */
#include "kernel/narrow/simplex.h"

#include <math.h>

#include "kernel/sys/vector.h"

/* A part of the simplex. */
typedef struct candidate {
    double square; /* of its distance from the origin */
    double direction[3];
    double weight[4];
} candidate;

static void set_edge(const carom_simplex *simplex, const uint32_t at[2], candidate *edge) {
    const double *p = simplex->point[at[0]].w;
    const double *q = simplex->point[at[1]].w;
    const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double length = carom_vector_dot(e, e);
    double t = length > 0.0 ? -carom_vector_dot(p, e) / length : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    edge->weight[at[0]] = 1.0 - t;
    edge->weight[at[1]] = t;
    for (int d = 0; d < 3; d++) {
        edge->direction[d] = t > 0.5 ? q[d] - (1.0 - t) * e[d] : p[d] + t * e[d];
    }
    edge->square = carom_vector_dot(edge->direction, edge->direction);
}

/* False if the origin projects beside the face. */
static bool set_face(const carom_simplex *simplex, const uint32_t at[3], candidate *face) {
    const double *p[3] = {simplex->point[at[0]].w, simplex->point[at[1]].w, simplex->point[at[2]].w};
    const double e[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
    const double f[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
    double n[3];
    carom_vector_cross(e, f, n);
    double part[3];
    for (int c = 0; c < 3; c++) {
        double cross[3];
        carom_vector_cross(p[(c + 1) % 3], p[(c + 2) % 3], cross);
        part[c] = carom_vector_dot(n, cross);
        if (!(part[c] >= 0.0)) {
            return false;
        }
    }
    const double sum = part[0] + part[1] + part[2];
    const double square = carom_vector_dot(n, n);
    if (!(sum > 0.0) || !(square > 0.0)) {
        return false;
    }
    const double height = carom_vector_dot(n, p[0]);
    for (int c = 0; c < 3; c++) {
        face->weight[at[c]] = part[c] / sum;
        face->direction[c] = height < 0.0 ? -n[c] : n[c];
    }
    face->square = height * height / square;
    return true;
}

/* Whether the origin lies on the same side of the plane through p, q and r as s does. */
static bool same_side(const double p[3], const double q[3], const double r[3], const double s[3]) {
    double n[3];
    const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double f[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const double g[3] = {s[0] - p[0], s[1] - p[1], s[2] - p[2]};
    carom_vector_cross(e, f, n);
    const double origin = -carom_vector_dot(n, p);
    const double apex = carom_vector_dot(n, g);
    return (origin > 0.0 && apex > 0.0) || (origin < 0.0 && apex < 0.0);
}

static bool holds_origin(const carom_simplex *simplex) {
    const carom_difference_point *p = simplex->point;
    return simplex->count == 4 && same_side(p[3].w, p[0].w, p[1].w, p[2].w) &&
           same_side(p[3].w, p[1].w, p[2].w, p[0].w) && same_side(p[3].w, p[2].w, p[0].w, p[1].w) &&
           same_side(p[0].w, p[1].w, p[2].w, p[3].w);
}

static void take_closer(candidate *best, const candidate *other) {
    if (other->square < best->square) {
        *best = *other;
    }
}

static void try_edges(const carom_simplex *simplex, candidate *best) {
    const uint32_t newest = simplex->count - 1;
    for (uint32_t n = 0; n < newest; n++) {
        candidate edge = {0};
        set_edge(simplex, (const uint32_t[2]){newest, n}, &edge);
        take_closer(best, &edge);
    }
}

static void try_faces(const carom_simplex *simplex, candidate *best) {
    const uint32_t newest = simplex->count - 1;
    for (uint32_t n = 0; n < newest; n++) {
        for (uint32_t m = n + 1; m < newest; m++) {
            candidate face = {0};
            if (set_face(simplex, (const uint32_t[3]){newest, n, m}, &face)) {
                take_closer(best, &face);
            }
        }
    }
}

/* Keeps the points that have a weight. */
static void keep(carom_simplex *simplex, const candidate *best) {
    uint32_t kept = 0;
    double closest[3] = {0.0, 0.0, 0.0};
    for (uint32_t n = 0; n < simplex->count; n++) {
        if (best->weight[n] > 0.0) {
            carom_vector_add(closest, best->weight[n], simplex->point[n].w, closest);
            simplex->point[kept] = simplex->point[n];
            simplex->weight[kept++] = best->weight[n];
        }
    }
    simplex->count = kept;
    for (int d = 0; d < 3; d++) {
        simplex->closest[d] = closest[d];
        simplex->direction[d] = best->direction[d];
    }
}

void carom_simplex_reduce(carom_simplex *simplex) {
    simplex->holds_origin = holds_origin(simplex);
    if (simplex->holds_origin) {
        return;
    }
    const uint32_t newest = simplex->count - 1;
    const double *w = simplex->point[newest].w;
    candidate best = {.square = carom_vector_dot(w, w), .direction = {w[0], w[1], w[2]}};
    best.weight[newest] = 1.0;
    try_edges(simplex, &best);
    try_faces(simplex, &best);
    keep(simplex, &best);
}

void carom_simplex_witness(const carom_simplex *simplex, double a[3], double b[3]) {
    for (int d = 0; d < 3; d++) {
        a[d] = 0.0;
        b[d] = 0.0;
    }
    for (uint32_t n = 0; n < simplex->count; n++) {
        carom_vector_add(a, simplex->weight[n], simplex->point[n].a, a);
        carom_vector_add(b, simplex->weight[n], simplex->point[n].b, b);
    }
}
