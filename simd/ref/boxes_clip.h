/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The incident box's lowest face, clipped by the sides of the reference's (simd/boxes_clip_lanes.h is the vector form).
 *
 * Seen along w, or along another direction near it, a parallelogram is clipped by a rectangle. Corners of what is left
 * are: ends of the parts of the parallelogram's edges within the rectangle (Liang and Barsky, 1984), and corners of the
 * rectangle within the parallelogram. Both tests have a slack that is greater than rounding, so that no corner is
 * missed; corners that nearly coincide may be there more than once. */
#ifndef CAROM_SIMD_REF_BOXES_CLIP_H
#define CAROM_SIMD_REF_BOXES_CLIP_H

#include "simd/ref/boxes_frame.h"

/* Two ends of four edges, and four corners. */
enum { CAROM_BOXES_CORNERS = 12 };

/* Points this far outside count as inside, relative to the sum of all lengths: 32 times the rounding. */
#define CAROM_BOXES_SLACK 0x1p-40

/* Edges that rise less along u or v, in units of length, count as rising this much: a quotient is finite then. */
#define CAROM_BOXES_FLAT 0x1p-400

/* The incident box's lowest face: its points are middle + s half[0] + t half[1], for s and t in [-1, 1]. */
typedef struct carom_boxes_face {
    double middle[3];
    double half[2][3];
    double inverse[2][2]; /* of the first two components of both */
    double side[2];       /* half edges of the reference's face, with slack */
    double slack;
} carom_boxes_face;

typedef struct carom_boxes_corners {
    uint32_t count;
    double point[CAROM_BOXES_CORNERS][3];
} carom_boxes_corners;

static inline void carom_boxes_face_make(const carom_boxes_frame *frame, carom_boxes_face *face) {
    const double t = carom_boxes_frame_to_lowest(frame, 0);
    face->slack = CAROM_BOXES_SLACK * carom_boxes_frame_size(frame);
    for (int r = 0; r < 3; r++) {
        face->middle[r] = frame->centre[r] + t * frame->turn[r][0];
        face->half[0][r] = frame->h[1] * frame->turn[r][1];
        face->half[1][r] = frame->h[2] * frame->turn[r][2];
    }
    face->side[0] = frame->reference[0] + face->slack;
    face->side[1] = frame->reference[1] + face->slack;
}

/* Projects the face along `away`, a unit vector with away[2] > 0, onto the reference's plane: u and v become those of
 * the point there, and w the distance from it along `away`. `inverse` is 1 / away[2]. */
static inline void carom_boxes_face_slant(const carom_boxes_frame *frame, const double away[3], double inverse,
                                          carom_boxes_face *face) {
    face->middle[2] = (face->middle[2] - frame->reference[2]) * inverse;
    face->half[0][2] = face->half[0][2] * inverse;
    face->half[1][2] = face->half[1][2] * inverse;
    for (int r = 0; r < 2; r++) {
        face->middle[r] = face->middle[r] - face->middle[2] * away[r];
        face->half[0][r] = face->half[0][r] - face->half[0][2] * away[r];
        face->half[1][r] = face->half[1][r] - face->half[1][2] * away[r];
    }
}

static inline void carom_boxes_face_invert(carom_boxes_face *face) {
    for (int r = 0; r < 2; r++) {
        for (int e = 0; e < 2; e++) {
            const double rise = face->half[e][r];
            face->inverse[e][r] = 1.0 / (fabs(rise) < CAROM_BOXES_FLAT ? CAROM_BOXES_FLAT : rise);
        }
    }
}

static inline void carom_boxes_corners_add(const double middle[3], double t, const double half[3],
                                           carom_boxes_corners *corners) {
    carom_vector_add(middle, t, half, corners->point[corners->count++]);
}

/* The edge along half[e] on the side `side` of the face, which goes on at its end where the next one begins. An end
 * that is the next one's beginning is left to that. */
static inline void carom_boxes_clip_edge(const carom_boxes_face *face, int e, double side, bool forward,
                                         carom_boxes_corners *corners) {
    double middle[3];
    double least = -1.0;
    double most = 1.0;
    carom_vector_add(face->middle, side, face->half[1 - e], middle);
    for (int r = 0; r < 2; r++) {
        const double at = -middle[r] * face->inverse[e][r];
        const double wide = fabs(face->side[r] * face->inverse[e][r]);
        least = carom_greater(at - wide, least);
        most = carom_lesser(at + wide, most);
    }
    const double begin = forward ? least : most;
    const double end = forward ? most : least;
    if (least <= most) {
        carom_boxes_corners_add(middle, begin, face->half[e], corners);
    }
    if (least < most && fabs(end) < 1.0) {
        carom_boxes_corners_add(middle, end, face->half[e], corners);
    }
}

/* The reference's corner, if it lies within the parallelogram. */
static inline void carom_boxes_clip_corner(const carom_boxes_frame *frame, const carom_boxes_face *face, double u,
                                           double v, carom_boxes_corners *corners) {
    const double *e = face->half[0];
    const double *f = face->half[1];
    const double area = e[0] * f[1] - e[1] * f[0];
    const double from[2] = {u * frame->reference[0] - face->middle[0], v * frame->reference[1] - face->middle[1]};
    const double along_e = from[0] * f[1] - from[1] * f[0];
    const double along_f = e[0] * from[1] - e[1] * from[0];
    const double most_e = fabs(area) + face->slack * (fabs(f[0]) + fabs(f[1]));
    const double most_f = fabs(area) + face->slack * (fabs(e[0]) + fabs(e[1]));
    if (0.0 < fabs(area) && fabs(along_e) <= most_e && fabs(along_f) <= most_f) {
        double *point = corners->point[corners->count++];
        point[0] = u * frame->reference[0];
        point[1] = v * frame->reference[1];
        point[2] = face->middle[2] + (along_e * e[2] + along_f * f[2]) * (1.0 / area);
    }
}

/* All corners of what is left of a face. The incident box's first axis is the steepest. */
static inline void carom_boxes_clip(const carom_boxes_frame *frame, carom_boxes_face *face,
                                    carom_boxes_corners *corners) {
    carom_boxes_face_invert(face);
    corners->count = 0;
    carom_boxes_clip_edge(face, 0, -1.0, true, corners);
    carom_boxes_clip_edge(face, 1, 1.0, true, corners);
    carom_boxes_clip_edge(face, 0, 1.0, false, corners);
    carom_boxes_clip_edge(face, 1, -1.0, false, corners);
    carom_boxes_clip_corner(frame, face, -1.0, -1.0, corners);
    carom_boxes_clip_corner(frame, face, 1.0, -1.0, corners);
    carom_boxes_clip_corner(frame, face, 1.0, 1.0, corners);
    carom_boxes_clip_corner(frame, face, -1.0, 1.0, corners);
}

#endif
