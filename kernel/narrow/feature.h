/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The part of a shape that faces a direction: a face, an edge or a point. */
#ifndef CAROM_NARROW_FEATURE_H
#define CAROM_NARROW_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/posed.h"

/* The most points of a feature. Hull faces with more give this many of theirs, spread evenly; the rim of a disc is
 * CAROM_FEATURE_RIM points. */
enum { CAROM_FEATURE_POINTS = 32, CAROM_FEATURE_RIM = 8 };

typedef struct carom_feature {
    uint32_t count;   /* 3 or more: a face, counterclockwise seen from outside; 2: an edge; 1: a point */
    double normal[3]; /* of a face, outward, of length 1 to rounding */
    double point[CAROM_FEATURE_POINTS][3];
} carom_feature;

/* The cosine of n, of length 1, with the normal of the face that is most parallel to it, or more: 1 where that takes
 * long to tell. */
double carom_feature_cosine(const carom_posed *posed, const double n[3]);

/* The feature of a convex shape, in the frame of the pose, that faces direction n, of length 1. Round shapes have their
 * farthest point. */
void carom_feature_find(const carom_posed *posed, const double n[3], carom_feature *feature);

/* The edge of a convex shape that faces direction n, of length 1, or the line on a round side: two points, in the frame
 * of the pose. False if there is none across n within some 8 degrees. */
bool carom_feature_edge(const carom_posed *posed, const double n[3], carom_feature *edge);

#endif
