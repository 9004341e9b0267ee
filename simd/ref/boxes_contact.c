/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two boxes that overlap, and the axis of least depth. Out: their normal and the points that are deepest along it.
 *
 * Along a face's normal, the other box's deepest corner lies under that face, unless an edge or a face is parallel to
 * it: then it is the middle of what lies deepest of the part under the face. Along the common normal of two edges, it
 * is where they cross. */
#include "simd/ref/boxes_contact.h"

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/boxes_axis.h"
#include "simd/ref/boxes_clip.h"
#include "simd/ref/boxes_manifold.h"

#define carom_boxes_contact_twin CAROM_TWIN_OF(boxes_contact)

/* The middle of the lowest corners, to within `alike`; stays as it is if there are none. */
static void middle_of_lowest(const carom_boxes_corners *corners, double alike, double middle[3]) {
    double least = HUGE_VAL;
    double count = 0.0;
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t n = 0; n < corners->count; n++) {
        least = carom_lesser(corners->point[n][2], least);
    }
    for (uint32_t n = 0; n < corners->count; n++) {
        if (corners->point[n][2] <= least + alike) {
            count += 1.0;
            carom_vector_add(sum, 1.0, corners->point[n], sum);
        }
    }
    for (int r = 0; r < 3 && count > 0.0; r++) {
        middle[r] = sum[r] / count;
    }
}

/* The incident box's point that is deepest under the face; `foot` is the face's point over it. */
static void under_face(const carom_boxes_frame *frame, double deepest[3], double foot[3]) {
    const double *h = frame->reference;
    for (int r = 0; r < 3; r++) {
        deepest[r] = frame->centre[r];
    }
    for (int c = 0; c < 3; c++) {
        carom_boxes_frame_add_axis(frame, c, carom_boxes_frame_to_lowest(frame, c), deepest);
    }
    if (!(fabs(deepest[0]) <= h[0] && fabs(deepest[1]) <= h[1])) {
        carom_boxes_face face;
        carom_boxes_corners corners;
        carom_boxes_face_make(frame, &face);
        carom_boxes_clip(frame, &face, &corners);
        middle_of_lowest(&corners, CAROM_CLOSED_BOXES_ERROR * carom_boxes_frame_size(frame), deepest);
    }
    foot[0] = carom_closed_clamp(deepest[0], h[0]);
    foot[1] = carom_closed_clamp(deepest[1], h[1]);
    foot[2] = h[2];
}

/* The common normal of edge w of the reference and the incident box's first edge, from the reference to the incident
 * box. */
static void across_edges(const carom_boxes_frame *frame, double sign, double n[3]) {
    const double x = -frame->turn[1][0];
    const double y = frame->turn[0][0];
    const double length = sqrt(x * x + y * y);
    n[0] = sign * (x / length);
    n[1] = sign * (y / length);
    n[2] = 0.0;
}

/* Where these edges cross, seen along their common normal. */
static void at_edges(const carom_boxes_frame *frame, const double n[3], double of_incident[3], double of_reference[3]) {
    const double(*turn)[3] = frame->turn;
    const double *h = frame->reference;
    for (int r = 0; r < 3; r++) {
        of_incident[r] = frame->centre[r];
    }
    for (int c = 1; c < 3; c++) {
        const double rise = n[0] * turn[0][c] + n[1] * turn[1][c];
        carom_boxes_frame_add_axis(frame, c, rise < 0.0 ? frame->h[c] : -frame->h[c], of_incident);
    }
    of_reference[0] = n[0] < 0.0 ? -h[0] : h[0];
    of_reference[1] = n[1] < 0.0 ? -h[1] : h[1];
    const double most = carom_greater(fabs(turn[0][0]), fabs(turn[1][0]));
    const double way[2] = {turn[0][0] / most, turn[1][0] / most};
    const double t = ((of_reference[0] - of_incident[0]) * way[0] + (of_reference[1] - of_incident[1]) * way[1]) /
                     (way[0] * way[0] + way[1] * way[1]) / most;
    carom_boxes_frame_add_axis(frame, 0, carom_closed_clamp(t, frame->h[0]), of_incident);
    of_reference[2] = carom_closed_clamp(of_incident[2], h[2]);
}

/* The frame for an axis. */
static void make_frame(const carom_posed *i, const carom_posed *k, const carom_boxes_axis *axis,
                       carom_boxes_frame *frame) {
    const carom_posed *reference = axis->of_i ? i : k;
    carom_boxes_frame_make(reference, axis->of_i ? k : i, axis->a, axis->outward, frame);
    carom_boxes_frame_put_first(frame, axis->is_face ? carom_boxes_frame_steepest(frame) : axis->c);
}

static void make_normal(const carom_boxes_frame *frame, const carom_boxes_axis *axis, double n[3], double normal[3]) {
    n[0] = 0.0;
    n[1] = 0.0;
    n[2] = axis->of_i ? -1.0 : 1.0;
    if (!axis->is_face) {
        across_edges(frame, axis->sign, n);
    }
    carom_boxes_frame_vector_to_scene(frame, n, normal);
}

void carom_boxes_contact_normal(const carom_posed *i, const carom_posed *k, uint32_t axis, double normal[3]) {
    const carom_boxes_axis read = carom_boxes_axis_read(axis);
    double n[3];
    carom_boxes_frame frame;
    make_frame(i, k, &read, &frame);
    make_normal(&frame, &read, n, normal);
}

void carom_boxes_contact_find(const carom_posed *i, const carom_posed *k, uint32_t axis, carom_gap *gap) {
    const carom_boxes_axis read = carom_boxes_axis_read(axis);
    double n[3];
    double of_reference[3];
    double of_incident[3];
    carom_boxes_frame frame;
    gap->axis = axis + 1;
    make_frame(i, k, &read, &frame);
    make_normal(&frame, &read, n, gap->normal);
    if (read.is_face) {
        under_face(&frame, of_incident, of_reference);
    } else {
        at_edges(&frame, n, of_incident, of_reference);
    }
    carom_boxes_frame_point_to_scene(&frame, of_reference, read.of_i ? gap->point_i : gap->point_k);
    carom_boxes_frame_point_to_scene(&frame, of_incident, read.of_i ? gap->point_k : gap->point_i);
}

void carom_boxes_contact_twin(carom_pair_block *block, const uint32_t *place, uint32_t count,
                              carom_block_manifolds *manifolds) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t at = place[n];
        carom_posed i;
        carom_posed k;
        carom_gap gap = {.lower = block->lower[at], .upper = block->upper[at]};
        carom_block_posed(block, 0, at, &i);
        carom_block_posed(block, 1, at, &k);
        carom_boxes_contact_find(&i, &k, (uint32_t)block->axis[at], &gap);
        carom_block_set_gap(block, at, &gap);
        if (manifolds != NULL) {
            carom_boxes_manifold_add(block, at, &i, &k, n, manifolds);
        }
    }
}
