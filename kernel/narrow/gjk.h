/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distance of two cores after Gilbert, Johnson and Keerthi (1988). */
#ifndef CAROM_NARROW_GJK_H
#define CAROM_NARROW_GJK_H

#include "kernel/narrow/simplex.h"

/* What a search knows of the cores' signed distance s. */
typedef struct carom_bracket {
    double lower; /* lower <= s <= upper; rounding is included */
    double upper;
    double lower_normal[3]; /* the unit vector that proves `lower` */
    carom_simplex closest;  /* the points that prove `upper`, if it is positive */
    bool overlap;           /* the search ended in points around or at the origin: s may be 0 or less */
    uint32_t iterations;
} carom_bracket;

/* When a search may end: the bracket is narrow, or s is known to be above or not above a limit. */
typedef struct carom_goal {
    double width;  /* of the bracket; relative too, to |s - radius| beyond `reach` */
    double reach;  /* of the smaller shape */
    double radius; /* of both shapes together: widths are relative to s - radius */
    double limit;  /* with only_side: the side of s that is asked for */
    double slack;  /* rounding of s - limit, to be cleared on either side */
    bool only_side;
} carom_goal;

/* Whether the bracket is what the goal asks for. */
bool carom_goal_reached(const carom_goal *goal, double lower, double upper);

/* Searches until the goal is reached, no progress is made or the cores seem to overlap. *bracket may have a simplex to
 * start from (closest.count points), or is 0 but for its infinite bounds. */
void carom_gjk(const carom_difference *difference, const carom_goal *goal, carom_bracket *bracket);

/* Notes the lower bound that direction n proves, if it is better: `least` is the least n.w over the difference. */
void carom_bracket_raise(carom_bracket *bracket, const carom_difference *difference, const double n[3], double least);

#endif
