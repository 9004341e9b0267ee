/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tests of planes, lines, segments and boxes along the axes, and of circles, boxes and convex polygons in the plane.
 *
 * They are pure functions: no context, no table of shapes, no memory; any number of threads may call them at once.
 * Coordinates are finite, and each is 0 or from 1e-50 to 1e50 (in float, any finite one). In that range no result is
 * NaN, whatever else the input is. Functions of float compute in double and round at the end. Results have the same
 * bits on every machine. Where nothing else is said, results are rounded: lengths are off by at most 2^-46 of the
 * greatest coordinate, in float by the rounding of a float as well. No output overlaps an input.
 *
 * Signed distances of overlapping shapes are minus their depth. Normals point from k to i, as everywhere. */
#ifndef CAROM_PLANE_H
#define CAROM_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The signed distance of a point from the plane n.x = offset, (n.x - offset) / |n|: negative below it. n has any length;
 * if it is 0, so is the result. */
CAROM_API float carom_plane_point_f32(const float n[3], float offset, const float point[3]);
CAROM_API double carom_plane_point_f64(const double n[3], double offset, const double point[3]);

/* Whether the segment from a to b meets the plane n.x = offset: whether the signed distances of its ends differ in sign,
 * or one is 0. Decided exactly.
 *
 *   at      receives t in [0, 1] of the crossing a + t (b - a), and its coordinates; may be NULL. If the segment lies in
 *           the plane it is a. Not written if there is none */
CAROM_API bool carom_plane_segment_f32(const float n[3], float offset, const float a[3], const float b[3], float at[4]);
CAROM_API bool carom_plane_segment_f64(const double n[3], double offset, const double a[3], const double b[3],
                                       double at[4]);

/* The signed distance of a sphere from the line through `from` along l: |x - x0 - t l| - radius, where
 * t = (x - x0).l / (l.l), or 0 if l is 0.
 *
 *   nearest   receives the line's nearest point to the centre; may be NULL */
CAROM_API float carom_plane_line_sphere_f32(const float from[3], const float l[3], const float centre[3], float radius,
                                            float nearest[3]);
CAROM_API double carom_plane_line_sphere_f64(const double from[3], const double l[3], const double centre[3],
                                             double radius, double nearest[3]);

/* The distance of two segments, each given by its ends, which may be the same point. Of parallel ones that lie side by
 * side, the nearest points are in the middle of that part.
 *
 *   nearest   receives the nearest point of i and that of k; may be NULL */
CAROM_API float carom_plane_segments_f32(const float i[2][3], const float k[2][3], float nearest[2][3]);
CAROM_API double carom_plane_segments_f64(const double i[2][3], const double k[2][3], double nearest[2][3]);

/* Whether two boxes along the axes touch or overlap: |c_i - c_k| <= h_i + h_k on each axis, with centres c and half
 * extents h >= 0. Decided exactly. */
CAROM_API bool carom_plane_boxes_f32(const float c_i[3], const float h_i[3], const float c_k[3], const float h_k[3]);
CAROM_API bool carom_plane_boxes_f64(const double c_i[3], const double h_i[3], const double c_k[3],
                                     const double h_k[3]);

typedef enum carom_figure_kind {
    /* All points within `radius` of `at`. */
    CAROM_FIGURE_CIRCLE,

    /* All points with |x| <= extent[0] and |y| <= extent[1] in its own frame. */
    CAROM_FIGURE_BOX,

    /* A convex polygon: its corners, counterclockwise; of two corners a segment, of one a point. */
    CAROM_FIGURE_POLYGON
} carom_figure_kind;

/* The most corners of a polygon. */
enum { CAROM_FIGURE_CORNERS_MAX = 64 };

/* A figure in the plane, and where it is. Members that its kind does not name are not used. */
typedef struct carom_figure_f64 {
    carom_figure_kind kind;

    /* Polygon: how many corners, 1 to CAROM_FIGURE_CORNERS_MAX. */
    uint32_t corner_count;

    /* Position of its origin. */
    double at[2];

    /* Cosine and sine of the angle by which it is rotated. A vector of any other length stands for its direction; 0 for
     * no rotation. Circle: not used. */
    double turn[2];

    /* Circle, >= 0. */
    double radius;

    /* Box: half extents, >= 0. */
    double extent[2];

    /* Polygon: corners in its own frame. If they are not convex or not counterclockwise, results mean nothing. */
    const double (*corner)[2];
} carom_figure_f64;

typedef struct carom_figure_f32 {
    carom_figure_kind kind;
    uint32_t corner_count;
    float at[2];
    float turn[2];
    float radius;
    float extent[2];
    const float (*corner)[2];
} carom_figure_f32;

/* The answer for two figures. */
typedef struct carom_figure_contact_f64 {
    /* Signed distance: negative is the depth, the least length by which one must move. */
    double distance;

    /* Unit vector from k to i. Moved along it by -distance, i just touches k. Coincident points: (1, 0). Of several
     * that would do, the first: edges of k in their order, then those of i. */
    double normal[2];

    /* 1 or 2 points, midway between the two boundaries, and how far those are apart there along the normal. Two where
     * edges face each other and overlap. Points from point_count on are 0. */
    uint32_t point_count;
    double point[2][2];
    double gap[2];
} carom_figure_contact_f64;

typedef struct carom_figure_contact_f32 {
    float distance;
    float normal[2];
    uint32_t point_count;
    float point[2][2];
    float gap[2];
} carom_figure_contact_f32;

/* The signed distance of two figures by separating axes. Returns false, and writes nothing, if a polygon has no corners
 * or too many, or `corner` is NULL. O(n m) for n and m corners. */
CAROM_API bool carom_plane_figures_f32(const carom_figure_f32 *i, const carom_figure_f32 *k,
                                       carom_figure_contact_f32 *contact);
CAROM_API bool carom_plane_figures_f64(const carom_figure_f64 *i, const carom_figure_f64 *k,
                                       carom_figure_contact_f64 *contact);

#ifdef __cplusplus
}
#endif

#endif
