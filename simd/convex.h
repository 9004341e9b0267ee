/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the searches for the distance and the depth of two convex cores share. They look at the Minkowski difference of
 * the cores, "the difference" for short: all points a - b with a in the core of i and b in that of k. Its distance from
 * the origin is that of the cores, and its depth about the origin is theirs. */
#ifndef CAROM_SIMD_CONVEX_H
#define CAROM_SIMD_CONVEX_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "simd/posed.h"

/* The most supports that one search for a distance looks at. Polyhedra take 4 to 10, curved shapes 10 to 40. */
enum { CAROM_GJK_STEPS_MAX = 96 };

/* Squares of a normal's length of no more are those of a triangle without area. */
#define CAROM_TRIANGLE_AREA 0x1p-960

/* A point of the difference, and the point of i's core that makes it. That of k's core is a - w. */
typedef struct carom_difference_point {
    double w[3];
    double a[3];
} carom_difference_point;

/* A simplex of points of the difference. Entries 0 to 2 are its points; entry 3 is a point that is being added. */
typedef struct carom_simplex {
    carom_difference_point point[4];
    double weight[3];    /* of each point in the simplex's closest point to the origin: >= 0, sum 1 to rounding. A point
                            with weight 0 is not part of the simplex */
    double closest[3];   /* the sum of the weighted points */
    double direction[3]; /* from the origin to the simplex: along `closest`, but more exact near touch */
} carom_simplex;

/* When a search may end: the bracket is narrow, or it is known on which side of a limit s is. */
typedef struct carom_goal {
    double width;  /* of the bracket, relative to `reach`, or to |s - radius| where that is greater */
    double reach;  /* of the smaller shape */
    double radius; /* of both shapes together */
    double above;  /* s is known to be greater than the limit if lower > above; infinite: go on until the bracket is
                      narrow */
    double below;  /* it is known not to be if upper <= below; -infinite: go on */
} carom_goal;

/* Whether it is only asked on which side of the limit s is. */
static inline bool carom_goal_is_state(const carom_goal *goal) {
    return goal->above < HUGE_VAL && goal->below > -HUGE_VAL;
}

/* What a search knows of the cores' signed distance s. Whatever the search did, it is true. */
typedef struct carom_bracket {
    double lower; /* lower <= s <= upper; rounding is included */
    double upper;
    double normal[3];      /* the unit vector from k to i that proves `lower` */
    carom_simplex simplex; /* points of the difference: of a distance those that prove `upper` */
    uint32_t iterations;   /* supports looked at */
    bool overlap;          /* before facets: floats have proved that the cores overlap; after gjk: they overlap, a
                              search for the depth is needed, and all four points of the simplex count; after epa: they
                              are apart after all, and gjk is needed */
    bool known;            /* the goal is reached: gjk and epa leave the bracket as it is */
    bool bounds_only;      /* there is no normal, and no simplex */
} carom_bracket;

#endif
