/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The end of a search for a depth where a core is round: a polytope within a round difference would need ever smaller
 * faces around the direction of the depth, as their distance falls short by the square of their width. So near the best
 * direction u the depth is proved from how the difference bends there, and by the polytope only in all others.
 *
 * A support function h (simd/newton/model.h) is least over unit vectors where it is the depth. Let v = u + d with d at
 * right angles to u and |d| <= s: the cap of directions within the angle atan s of u. Of an edge's term |e.v| take
 *
 *     t e.v + (1 - |t|) |e.v|,   |e.v| >= |e.d| - |e.u|,   |e.d| >= (e.d)^2 / (|e'| s)
 *
 * where e' is e without its part along u,
 * and of |S v|, with w = S u, a = w.(S v) / |w|, and b the part of S d at right angles to w,
 *
 *     |S v| = a + b.b / (|S v| + a),   a <= |w| + c s,   |S v|^2 <= a^2 + (greatest semi-axis)^2 s^2
 *
 * where c is the length of the part of S w / |w| at right angles to u. A cone's edge ends on its base: its point may
 * then move from m + t e to either side only so far as that takes a quarter of the base's bend. All terms together,
 * with the radii r of balls that have been taken off, are
 *
 *     h(v) + r |v| >= h0 + g.d + d.M d / 2
 *
 * with equality at u where e.u = 0. So if the least eigenvalue of M is H + m, with H = h(u) + r and m > 0, then for all
 * v of the cap
 *
 *     h(v / |v|) >= h0 - r - g.g / (2 m)        (since |v| <= 1 + d.d / 2)
 *
 * which is the bound K.
 *
 * The polytope winds around the origin. Where h(v) < K for a unit vector v, the way from the
 * origin along v leaves it through a face nearer than K, at a distance of less than K. So v is within the triangle, as
 * seen from the origin, and nearer to the face's normal than the angle whose cosine is the face's distance over K. If
 * for each such face one of the two is part of the cap, there is no such v, and K is a lower bound of the depth. Where
 * h is as small in several directions, as in opposite ones if both cores have one centre, there may be as many caps. */
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

/* The widest of some caps around the model's direction in which a bound is proved. False if there is none, or none
 * above 0. */
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
