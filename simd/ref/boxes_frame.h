/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two boxes, seen from a face of one of them: that box is the reference, the other one the incident box
 * (simd/boxes_frame_lanes.h is the vector form).
 *
 * u and v lie in the face, and w is its outward normal. All three are axes of the reference, whose centre is the
 * origin: the face lies at w = reference[2]. */
#ifndef CAROM_SIMD_REF_BOXES_FRAME_H
#define CAROM_SIMD_REF_BOXES_FRAME_H

#include "simd/ref/closed_boxes.h"
#include "simd/ref/closed_work.h"

typedef struct carom_boxes_frame {
    double at[3];        /* the reference's centre */
    double axis[3][3];   /* u, v and w, unit vectors */
    double reference[3]; /* half extents of the reference along them */
    double h[3];         /* half extents of the incident box along its own axes */
    double centre[3];    /* of the incident box, along u, v and w */
    double turn[3][3];   /* turn[r][c]: axis c of the incident box, along u, v or w */
} carom_boxes_frame;

/* The face of axis a, on the side of `sign`, 1 or -1. */
static inline void carom_boxes_frame_make(const carom_posed *reference, const carom_posed *incident, uint32_t a,
                                          double sign, carom_boxes_frame *frame) {
    double between[3];
    carom_closed_between(incident, reference, between);
    for (uint32_t r = 0; r < 3; r++) {
        const uint32_t column = (a + 1 + r) % 3;
        for (int d = 0; d < 3; d++) {
            const double x = reference->turn[d][column];
            frame->axis[r][d] = r == 2 ? sign * x : x;
        }
        frame->at[r] = reference->at[r];
        frame->reference[r] = reference->shape->extent[column];
        frame->h[r] = incident->shape->extent[r];
        frame->centre[r] = carom_vector_dot(frame->axis[r], between);
    }
    for (int c = 0; c < 3; c++) {
        const double axis[3] = {incident->turn[0][c], incident->turn[1][c], incident->turn[2][c]};
        for (int r = 0; r < 3; r++) {
            const double along = carom_vector_dot(frame->axis[r], axis);
            frame->turn[r][c] = fabs(along) < CAROM_CLOSED_BOXES_LEAST ? 0.0 : along;
        }
    }
}

/* The number of the greatest component of v, whatever its sign; the lowest of several. */
static inline uint32_t carom_boxes_frame_longest(const double v[3]) {
    const uint32_t a = fabs(v[0]) < fabs(v[1]) ? 1 : 0;
    return fabs(v[a]) < fabs(v[2]) ? 2 : a;
}

/* The axis of the incident box that is most parallel to w. */
static inline uint32_t carom_boxes_frame_steepest(const carom_boxes_frame *frame) {
    return carom_boxes_frame_longest(frame->turn[2]);
}

/* Renumbers the incident box's axes so that c is the first. */
static inline void carom_boxes_frame_put_first(carom_boxes_frame *frame, uint32_t c) {
    const carom_boxes_frame from = *frame;
    for (uint32_t n = 0; n < 3; n++) {
        const uint32_t column = (c + n) % 3;
        frame->h[n] = from.h[column];
        for (int r = 0; r < 3; r++) {
            frame->turn[r][n] = from.turn[r][column];
        }
    }
}

/* Moves a point by t along the incident box's axis c. */
static inline void carom_boxes_frame_add_axis(const carom_boxes_frame *frame, int c, double t, double point[3]) {
    for (int r = 0; r < 3; r++) {
        point[r] = point[r] + t * frame->turn[r][c];
    }
}

/* How far the incident box's lowest points lie from its centre along its axis c: half its extent, with a sign. */
static inline double carom_boxes_frame_to_lowest(const carom_boxes_frame *frame, int c) {
    return frame->turn[2][c] < 0.0 ? frame->h[c] : -frame->h[c];
}

/* A vector along u, v and w becomes one along x, y and z. */
static inline void carom_boxes_frame_vector_to_scene(const carom_boxes_frame *frame, const double v[3], double out[3]) {
    for (int d = 0; d < 3; d++) {
        out[d] = frame->axis[0][d] * v[0] + frame->axis[1][d] * v[1] + frame->axis[2][d] * v[2];
    }
}

/* A point of this frame, likewise. */
static inline void carom_boxes_frame_point_to_scene(const carom_boxes_frame *frame, const double local[3],
                                                    double point[3]) {
    carom_boxes_frame_vector_to_scene(frame, local, point);
    carom_vector_add(point, 1.0, frame->at, point);
}

/* The sum of the lengths that points are computed from. */
static inline double carom_boxes_frame_size(const carom_boxes_frame *frame) {
    return carom_closed_sum(frame->centre) + carom_closed_sum(frame->reference) + carom_closed_sum(frame->h);
}

#endif
