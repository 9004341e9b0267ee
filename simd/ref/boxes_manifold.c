/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two boxes that touch, and their normal. Out: a manifold.
 *
 * The face whose normal the pair has is the reference; else that of either box that is most parallel to it. The other
 * box's lowest face is clipped by its sides, seen along the pair's normal: so each corner lies opposite a point of the
 * reference. Of the corners that lie near or behind the reference's plane four remain: the deepest, the farthest from
 * it, the one that makes the greatest triangle with both, and the farthest outside that triangle, all as seen. Corners
 * that add nothing are left out. If no face is parallel enough, as with two edges that cross, or no corner is as deep
 * as the pair, the first point is midway between the witness points. */
#include "simd/ref/boxes_manifold.h"

#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/boxes_axis.h"
#include "simd/ref/boxes_clip.h"

#define carom_boxes_manifold_twin CAROM_TWIN_OF(boxes_manifold)

/* What points are kept and how they are placed. */
typedef struct contact_plane {
    double away[3];  /* the pair's normal from the reference to the incident box, along u, v and w */
    double inverse;  /* of away[2] */
    bool slanted;    /* away is not w */
    double plane;    /* w of the reference's face; 0 if slanted, because w is measured from there then */
    double least;    /* separations: the pair's */
    double most;     /* and up to here */
    double alike;    /* separations and points that differ by less are the same */
    double first[3]; /* midway between the witness points, in the scene */
} contact_plane;

/* The frame of the face whose normal the pair has. */
static void make_frame_of_axis(const carom_posed *i, const carom_posed *k, const carom_boxes_axis *axis,
                               carom_boxes_frame *frame, contact_plane *plane) {
    carom_boxes_frame_make(axis->of_i ? i : k, axis->of_i ? k : i, axis->a, axis->outward, frame);
    plane->away[0] = 0.0;
    plane->away[1] = 0.0;
    plane->away[2] = 1.0;
    plane->slanted = false;
    plane->plane = frame->reference[2];
}

/* The frame of the face that is most parallel to the normal; false if it is not enough so. */
static bool make_frame_most_parallel(const carom_posed *i, const carom_posed *k, const double normal[3],
                                     carom_boxes_frame *frame, contact_plane *plane) {
    double along_i[3];
    double along_k[3];
    carom_pose_to_local(i->turn, normal, along_i);
    carom_pose_to_local(k->turn, normal, along_k);
    const uint32_t a_i = carom_boxes_frame_longest(along_i);
    const uint32_t a_k = carom_boxes_frame_longest(along_k);
    const bool of_i = fabs(along_k[a_k]) < fabs(along_i[a_i]);
    const double *along = of_i ? along_i : along_k;
    const uint32_t a = of_i ? a_i : a_k;
    if (!(CAROM_MANIFOLD_PARALLEL <= fabs(along[a]))) {
        return false;
    }
    const double towards = of_i ? -1.0 : 1.0;
    const double outward = towards * along[a] < 0.0 ? -1.0 : 1.0;
    carom_boxes_frame_make(of_i ? i : k, of_i ? k : i, a, outward, frame);
    plane->away[0] = towards * along[(a + 1) % 3];
    plane->away[1] = towards * along[(a + 2) % 3];
    plane->away[2] = fabs(along[a]);
    plane->inverse = 1.0 / plane->away[2];
    plane->slanted = true;
    plane->plane = 0.0;
    return true;
}

/* False if there is no face to clip by. */
static bool make_frame(const carom_posed *i, const carom_posed *k, const carom_gap *gap, carom_boxes_frame *frame,
                       contact_plane *plane) {
    const carom_boxes_axis axis = carom_boxes_axis_read(gap->axis > 0 ? gap->axis - 1 : CAROM_CLOSED_BOXES_EDGES);
    if (axis.is_face) {
        make_frame_of_axis(i, k, &axis, frame, plane);
    } else if (!make_frame_most_parallel(i, k, gap->normal, frame, plane)) {
        return false;
    }
    carom_boxes_frame_put_first(frame, carom_boxes_frame_steepest(frame));
    return true;
}

static double separation_of(const contact_plane *plane, const double point[3]) {
    return carom_greater(point[2] - plane->plane, plane->least);
}

/* Keeps the corners that are near; the deepest becomes chosen[0]: the first of those that are as deep as the pair, as
 * which of them is the deepest may be rounding. Returns its separation, if that is greater than theirs, or infinity. */
static double keep_near(const contact_plane *plane, carom_boxes_corners *corners, double chosen[3]) {
    const uint32_t count = corners->count;
    const double deep = plane->least + plane->alike;
    double deepest = HUGE_VAL;
    corners->count = 0;
    for (uint32_t n = 0; n < count; n++) {
        const double *point = corners->point[n];
        const double separation = separation_of(plane, point);
        if (separation <= plane->most) {
            memmove(corners->point[corners->count++], point, sizeof corners->point[0]);
            if (carom_greater(separation, deep) < deepest) {
                deepest = carom_greater(separation, deep);
                memcpy(chosen, point, 3 * sizeof *chosen);
            }
        }
    }
    return deepest;
}

/* Twice the area of the triangle of the first point, a and b. From here on u and v are relative to the first point. */
static double area_of(const double a[2], const double b[3]) {
    return a[0] * b[1] - a[1] * b[0];
}

/* The corner that is farthest from the first, if it is another point. */
static bool choose_second(const carom_boxes_corners *corners, double alike, double chosen[4][3]) {
    double most = alike * alike;
    const double *best = NULL;
    for (uint32_t n = 0; n < corners->count; n++) {
        const double *point = corners->point[n];
        const double square = point[0] * point[0] + point[1] * point[1];
        best = most < square ? point : best;
        most = carom_greater(square, most);
    }
    if (best != NULL) {
        memcpy(chosen[1], best, sizeof chosen[1]);
    }
    return best != NULL;
}

/* The corner that makes the greatest triangle with both. */
static bool choose_third(const carom_boxes_corners *corners, double least, double chosen[4][3]) {
    double most = least;
    const double *best = NULL;
    for (uint32_t n = 0; n < corners->count; n++) {
        const double area = fabs(area_of(chosen[1], corners->point[n]));
        best = most < area ? corners->point[n] : best;
        most = carom_greater(area, most);
    }
    if (best != NULL) {
        memcpy(chosen[2], best, sizeof chosen[2]);
    }
    return best != NULL;
}

/* The corner that is farthest outside the triangle. */
static bool choose_fourth(const carom_boxes_corners *corners, double least, double chosen[4][3]) {
    const double turn = area_of(chosen[1], chosen[2]) < 0.0 ? 1.0 : -1.0;
    const double edge[3][2] = {{turn * chosen[1][0], turn * chosen[1][1]},
                               {turn * (chosen[2][0] - chosen[1][0]), turn * (chosen[2][1] - chosen[1][1])},
                               {-turn * chosen[2][0], -turn * chosen[2][1]}};
    const double offset = area_of(edge[1], chosen[1]);
    double most = least;
    const double *best = NULL;
    for (uint32_t n = 0; n < corners->count; n++) {
        const double *point = corners->point[n];
        const double first = area_of(edge[0], point);
        const double second = area_of(edge[1], point) - offset;
        const double third = area_of(edge[2], point);
        const double beyond = carom_greater(first, carom_greater(second, third));
        best = most < beyond ? point : best;
        most = carom_greater(beyond, most);
    }
    if (best != NULL) {
        memcpy(chosen[3], best, sizeof chosen[3]);
    }
    return best != NULL;
}

/* Up to three more corners that span the most with the first; returns how many there are then. */
static uint32_t choose(const carom_boxes_corners *corners, double alike, double chosen[4][3]) {
    if (!choose_second(corners, alike, chosen)) {
        return 1;
    }
    const double least = alike * (fabs(chosen[1][0]) + fabs(chosen[1][1]));
    if (!choose_third(corners, least, chosen)) {
        return 2;
    }
    return choose_fourth(corners, least, chosen) ? 4 : 3;
}

/* Midway between the surfaces, over the reference's point at u and v. */
static void set_point(const carom_boxes_frame *frame, const contact_plane *plane, const double foot[2],
                      double separation, double placed[3]) {
    const double on_plane[3] = {foot[0], foot[1], frame->reference[2]};
    double middle[3];
    carom_vector_add(on_plane, 0.5 * separation, plane->away, middle);
    carom_boxes_frame_point_to_scene(frame, middle, placed);
}

/* Where the first point is, if no corner is as deep as the pair, so that the others span the most with it. */
static void see_witness(const carom_boxes_frame *frame, const contact_plane *plane, double chosen[3]) {
    double from[3];
    carom_vector_add(plane->first, -1.0, frame->at, from);
    for (int r = 0; r < 2; r++) {
        chosen[r] = carom_vector_dot(frame->axis[r], from) - 0.5 * plane->least * plane->away[r];
    }
}

/* All corners of what the reference's sides leave of the incident box's face. */
static void clip(const carom_boxes_frame *frame, const contact_plane *plane, carom_boxes_corners *corners) {
    carom_boxes_face face;
    carom_boxes_face_make(frame, &face);
    if (plane->slanted) {
        carom_boxes_face_slant(frame, plane->away, plane->inverse, &face);
    }
    carom_boxes_clip(frame, &face, corners);
}

static uint32_t clip_faces(const carom_boxes_frame *frame, const contact_plane *plane, carom_manifold_points *found) {
    carom_boxes_corners corners;
    double chosen[4][3];
    clip(frame, plane, &corners);
    const double deepest = keep_near(plane, &corners, chosen[0]);
    const bool by_witness = !(deepest <= plane->least + plane->alike);
    if (by_witness) {
        see_witness(frame, plane, chosen[0]);
    } else {
        found->separation[0] = separation_of(plane, chosen[0]);
        set_point(frame, plane, chosen[0], found->separation[0], found->point[0]);
    }
    for (uint32_t n = 0; n < corners.count; n++) {
        corners.point[n][0] -= chosen[0][0];
        corners.point[n][1] -= chosen[0][1];
    }
    const uint32_t count = choose(&corners, plane->alike, chosen);
    for (uint32_t n = 1; n < count; n++) {
        chosen[n][0] += chosen[0][0];
        chosen[n][1] += chosen[0][1];
        found->separation[n] = separation_of(plane, chosen[n]);
        set_point(frame, plane, chosen[n], found->separation[n], found->point[n]);
    }
    return count;
}

uint32_t carom_boxes_manifold_find(const carom_posed *i, const carom_posed *k, const carom_gap *gap,
                                   carom_boxes_limits limits, carom_manifold_points *found) {
    const double s = 0.5 * (gap->lower + gap->upper);
    contact_plane plane = {
        .least = s,
        .most = carom_greater(carom_greater(s, 0.0) + CAROM_MANIFOLD_SLACK * limits.reach, limits.margin),
        .alike = CAROM_MANIFOLD_ALIKE * limits.reach};
    carom_boxes_frame frame;
    uint32_t count = 1;
    memset(found, 0, sizeof *found);
    found->separation[0] = s;
    for (int d = 0; d < 3; d++) {
        plane.first[d] = 0.5 * (gap->point_i[d] + gap->point_k[d]);
        found->point[0][d] = plane.first[d];
    }
    if (make_frame(i, k, gap, &frame, &plane)) {
        count = clip_faces(&frame, &plane, found);
        carom_manifold_order(found, count);
    }
    return count;
}

void carom_boxes_manifold_add(const carom_pair_block *block, uint32_t place, const carom_posed *i, const carom_posed *k,
                              uint32_t n, carom_block_manifolds *manifolds) {
    const carom_boxes_limits limits = {block->reach[place], manifolds->margin};
    carom_manifold_points *found = &manifolds->points[n];
    carom_gap gap;
    carom_block_get_gap(block, place, &gap);
    gap.axis = gap.lower <= 0.0 ? (uint32_t)block->axis[place] + 1 : 0; /* others have been searched for */
    manifolds->count[n] = carom_boxes_manifold_find(i, k, &gap, limits, found);
    for (uint32_t p = 0; p < manifolds->count[n]; p++) {
        for (int d = 0; d < 3; d++) {
            found->point[p][d] += block->origin[d][place];
        }
    }
}

void carom_boxes_manifold_twin(const carom_pair_block *block, const uint32_t *place, uint32_t count,
                               carom_block_manifolds *manifolds) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    for (uint32_t n = 0; n < count; n++) {
        carom_posed i;
        carom_posed k;
        carom_block_posed(block, 0, place[n], &i);
        carom_block_posed(block, 1, place[n], &k);
        carom_boxes_manifold_add(block, place[n], &i, &k, n, manifolds);
    }
}
