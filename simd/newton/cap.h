/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The end of a search for a depth where a core is round. A polytope within a round difference would need ever smaller
 * faces around the direction of the depth, for their distance falls short by the square of their width. So near the
 * best direction u the depth is proved from the curvature of the difference, and by the polytope only in all others.
 *
 * The depth is the least h(v) over unit vectors v, for the support function h of the difference (simd/newton/model.h).
 * A cap holds the directions of all u + d, for d at right angles to u and |d| <= s. Its terms have these bounds:
 *
 * An edge from p to q with the active weight t. A share of c, at most that of the nearer end, may move to either end:
 *
 *     max(p.v, q.v) >= (m + t e).v + 2 c |e.v|,    c <= (1 - |t|) / 2
 *     |e.v| >= |e.d| - |e.u| >= (e.d)^2 / (|e'| s) - |e.u|        where e' is e without its component along u
 *
 * A round body, where w = S u, a = w.(S v) / |w|, b is S d without its component along w, and g is the length of S w /
 * |w| without its component along u:
 *
 *     |S v| = a + b.b / (|S v| + a),    a <= |w| + g s,    |S v|^2 <= a^2 + (greatest semi-axis)^2 s^2
 *
 * A cone's edge, whose end q is the point of the base that is farthest along u. If k = (1 - t) / 2 is the share of q,
 * the base counts with at least k - c of what its curvature adds, so here c is small beside k.
 *
 * The sum of all, with the radii r of balls that ellipsoids' cores lack, is
 *
 *     h(v) + r |v| >= h0 + y.d + d.M d / 2
 *
 * where h0 is h(u) + r less 2 c |e.u| and rounding. Let H be the model's h(u) + r, and the least eigenvalue of M be H +
 * x with x > 0. As |v| <= 1 + d.d / 2, and as h0 <= H,
 *
 *     h(v / |v|) >= K = h0 - r - y.y / (2 x)        if K > 0
 *
 * The polytope winds around the origin. Let h(v) < K for a unit vector v. Then the ray from the origin along v leaves
 * the polytope through a triangle, at a distance of less than K. So v points into that triangle, and its angle with the
 * triangle's normal has a cosine of more than the face's distance over K. If for each face nearer than K a cap holds
 * its three corners, or all directions within that angle, there is no such v: the depth is at least K. There may be
 * several caps, for instance where cores have one centre and h is as small in opposite directions; K is the least of
 * theirs. */
#ifndef CAROM_SIMD_NEWTON_CAP_H
#define CAROM_SIMD_NEWTON_CAP_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/epa_search.h"
#include "simd/newton/model.h"

/* The planes of a polytope's faces, wherever a search keeps them. */
typedef struct carom_cap_planes {
    const double *distance;  /* of face n: distance[n * stride] */
    const double *normal[3]; /* likewise */
    uint32_t distance_stride;
    uint32_t normal_stride;
} carom_cap_planes;

/* A cap of directions around u, and a bound of the difference's support function in it. */
typedef struct carom_cap {
    double u[3];
    double cosine; /* of its angle */
    double bound;  /* K */
} carom_cap;

/* The widest cap around the model's direction, of those tried, in which a bound is proved. False if there is none, or
 * none above 0. */
bool carom_cap_find(const carom_support_model *model, const carom_difference *difference, carom_cap *cap);

/* Whether the proof is to be tried now: if there are as many points as it waits for, and the polytope, whose nearest
 * face is at that distance, holds the origin. */
static inline bool carom_cap_is_due(const carom_epa_search *search, double nearest) {
    return search->polytope.point_count >= search->cap_due && nearest > search->difference.error &&
           (carom_model_is_round(search->difference.i) || carom_model_is_round(search->difference.k)) &&
           carom_model_fits(search->difference.size);
}

/* Tries to prove what the goal asks for from the best direction so far. True if the bracket is the answer; else it is
 * as before. */
bool carom_cap_prove(carom_epa_search *search, const carom_cap_planes *planes);

#endif
