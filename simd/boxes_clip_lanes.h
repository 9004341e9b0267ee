/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The incident box's lowest face, clipped by the sides of the reference's, a pair a lane (simd/ref/boxes_clip.h is the
 * scalar form). All corners that there may be have a place; `kept` says which there are. */
#ifndef CAROM_SIMD_BOXES_CLIP_LANES_H
#define CAROM_SIMD_BOXES_CLIP_LANES_H

#include "simd/boxes_frame_lanes.h"
#include "simd/ref/boxes_clip.h"

/* carom_boxes_face says what the fields mean. */
typedef struct carom_face_lanes {
    vd middle[3];
    vd half[2][3];
    vd inverse[2][2];
    vd side[2];
    vd slack;
} carom_face_lanes;

typedef struct carom_corners_lanes {
    vd point[CAROM_BOXES_CORNERS][3];
    vdm kept[CAROM_BOXES_CORNERS];
} carom_corners_lanes;

/* The incident boxes' lowest faces (carom_boxes_face_make). */
static inline void carom_face_lanes_make(carom_frame_lanes *frame, carom_face_lanes *face) {
    const vd t = carom_frame_lanes_to_lowest(frame, 0);
    face->slack = vd_mul(vd_set1(CAROM_BOXES_SLACK), carom_frame_lanes_size(frame));
    for (int r = 0; r < 3; r++) {
        face->middle[r] = vd_add(frame->centre[r], vd_mul(t, frame->turn[r][0]));
        face->half[0][r] = vd_mul(frame->h[1], frame->turn[r][1]);
        face->half[1][r] = vd_mul(frame->h[2], frame->turn[r][2]);
    }
    face->side[0] = vd_add(frame->reference[0], face->slack);
    face->side[1] = vd_add(frame->reference[1], face->slack);
}

/* A point, or half an edge, `height` above the plane. */
static inline void carom_face_lanes_slant_vector(const vd away[3], vd inverse, vd height, vdm where, vd vector[3]) {
    const vd along = vd_mul(height, inverse);
    for (int r = 0; r < 2; r++) {
        vector[r] = vd_select(where, vd_sub(vector[r], vd_mul(along, away[r])), vector[r]);
    }
    vector[2] = vd_select(where, along, vector[2]);
}

/* carom_boxes_face_slant in lanes `where`. */
static inline void carom_face_lanes_slant(carom_frame_lanes *frame, const vd away[3], vd inverse, vdm where,
                                          carom_face_lanes *face) {
    const vd height = vd_sub(face->middle[2], frame->reference[2]);
    carom_face_lanes_slant_vector(away, inverse, height, where, face->middle);
    carom_face_lanes_slant_vector(away, inverse, face->half[0][2], where, face->half[0]);
    carom_face_lanes_slant_vector(away, inverse, face->half[1][2], where, face->half[1]);
}

static inline void carom_face_lanes_invert(carom_face_lanes *face) {
    const vd flat = vd_set1(CAROM_BOXES_FLAT);
    for (int r = 0; r < 2; r++) {
        for (int e = 0; e < 2; e++) {
            const vd rise = face->half[e][r];
            face->inverse[e][r] = vd_div(vd_set1(1.0), vd_select(vd_lt(vd_abs(rise), flat), flat, rise));
        }
    }
}

/* What of an edge lies within the rectangle: its ends go to places `place` and place + 1 (carom_boxes_clip_edge). */
static inline void carom_clip_lanes_edge(carom_face_lanes *face, int e, double side, bool forward, int place,
                                         carom_corners_lanes *corners) {
    vd middle[3];
    vd least = vd_set1(-1.0);
    vd most = vd_set1(1.0);
    vd_add_scaled(face->middle, vd_set1(side), face->half[1 - e], middle);
    for (int r = 0; r < 2; r++) {
        const vd at = vd_mul(vd_negate(middle[r]), face->inverse[e][r]);
        const vd wide = vd_abs(vd_mul(face->side[r], face->inverse[e][r]));
        least = vd_max(vd_sub(at, wide), least);
        most = vd_min(vd_add(at, wide), most);
    }
    const vd end = forward ? most : least;
    vd_add_scaled(middle, forward ? least : most, face->half[e], corners->point[place]);
    vd_add_scaled(middle, end, face->half[e], corners->point[place + 1]);
    corners->kept[place] = vd_le(least, most);
    corners->kept[place + 1] = vdm_and(vd_lt(least, most), vd_lt(vd_abs(end), vd_set1(1.0)));
}

/* A corner of the rectangle goes to `place`. It is kept if it lies within the parallelogram
 * (carom_boxes_clip_corner). */
static inline void carom_clip_lanes_corner(carom_frame_lanes *frame, carom_face_lanes *face, double u, double v,
                                           int place, carom_corners_lanes *corners) {
    vd *e = face->half[0];
    vd *f = face->half[1];
    vd *point = corners->point[place];
    const vd area = vd_sub(vd_mul(e[0], f[1]), vd_mul(e[1], f[0]));
    point[0] = vd_mul(vd_set1(u), frame->reference[0]);
    point[1] = vd_mul(vd_set1(v), frame->reference[1]);
    const vd from[2] = {vd_sub(point[0], face->middle[0]), vd_sub(point[1], face->middle[1])};
    const vd along_e = vd_sub(vd_mul(from[0], f[1]), vd_mul(from[1], f[0]));
    const vd along_f = vd_sub(vd_mul(e[0], from[1]), vd_mul(e[1], from[0]));
    const vd most_e = vd_add(vd_abs(area), vd_mul(face->slack, vd_add(vd_abs(f[0]), vd_abs(f[1]))));
    const vd most_f = vd_add(vd_abs(area), vd_mul(face->slack, vd_add(vd_abs(e[0]), vd_abs(e[1]))));
    const vd rise = vd_add(vd_mul(along_e, e[2]), vd_mul(along_f, f[2]));
    point[2] = vd_add(face->middle[2], vd_mul(rise, vd_div(vd_set1(1.0), area)));
    corners->kept[place] = vdm_and(vd_lt(vd_set1(0.0), vd_abs(area)),
                                   vdm_and(vd_le(vd_abs(along_e), most_e), vd_le(vd_abs(along_f), most_f)));
}

/* All corners of what is left of faces (carom_boxes_clip). */
static inline void carom_clip_lanes(carom_frame_lanes *frame, carom_face_lanes *face, carom_corners_lanes *corners) {
    carom_face_lanes_invert(face);
    carom_clip_lanes_edge(face, 0, -1.0, true, 0, corners);
    carom_clip_lanes_edge(face, 1, 1.0, true, 2, corners);
    carom_clip_lanes_edge(face, 0, 1.0, false, 4, corners);
    carom_clip_lanes_edge(face, 1, -1.0, false, 6, corners);
    carom_clip_lanes_corner(frame, face, -1.0, -1.0, 8, corners);
    carom_clip_lanes_corner(frame, face, 1.0, -1.0, 9, corners);
    carom_clip_lanes_corner(frame, face, 1.0, 1.0, 10, corners);
    carom_clip_lanes_corner(frame, face, -1.0, 1.0, 11, corners);
}

#endif
