/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts of boxes and their manifolds, in vectors. Lanes hold normals of faces and of edges side by side; what no
 * lane needs is left out. */
#include "simd/boxes_manifold_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_boxes_contact CAROM_KERNEL_OF(boxes_contact)

/* The ends of a contact. */
typedef struct contact_ends {
    vd of_incident[3];
    vd of_reference[3];
} contact_ends;

static inline void make_frame(const carom_touch_lanes *touch, const carom_boxes_axis_lanes *axes,
                              carom_frame_lanes *frame) {
    carom_frame_lanes_make(&touch->i, &touch->k, axes->of_i, axes->a, axes->outward, frame);
    const carom_axis_lanes steepest = carom_axis_lanes_longest(frame->turn[2]);
    carom_frame_lanes_put_first(frame, carom_axis_lanes_choose(axes->faces, steepest, axes->c));
}

/* The middle of the lowest corners, in lanes `which`; stays as it is where no corner is kept. */
static inline void middle_of_lowest(const carom_corners_lanes *corners, vd alike, vdm which, vd middle[3]) {
    const vd zero = vd_set1(0.0);
    vd least = vd_set1(HUGE_VAL);
    vd count = zero;
    vd sum[3] = {zero, zero, zero};
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        least = vd_select(corners->kept[n], vd_min(corners->point[n][2], least), least);
    }
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        const vdm low = vdm_and(corners->kept[n], vd_le(corners->point[n][2], vd_add(least, alike)));
        count = vd_select(low, vd_add(count, vd_set1(1.0)), count);
        for (int r = 0; r < 3; r++) {
            sum[r] = vd_select(low, vd_add(sum[r], corners->point[n][r]), sum[r]);
        }
    }
    const vdm any = vdm_and(which, vd_lt(zero, count));
    for (int r = 0; r < 3; r++) {
        middle[r] = vd_select(any, vd_div(sum[r], count), middle[r]);
    }
}

static inline void clip(carom_frame_lanes *frame, carom_corners_lanes *corners) {
    carom_face_lanes face;
    carom_face_lanes_make(frame, &face);
    carom_clip_lanes(frame, &face, corners);
}

/* Under faces, in lanes `faces`. What is left of the incident boxes' faces is in `corners` where it is `clipped`. */
static inline void under_face(carom_frame_lanes *frame, vdm faces, bool clipped, carom_corners_lanes *corners,
                              contact_ends *ends) {
    vd *deepest = ends->of_incident;
    vd *h = frame->reference;
    for (int r = 0; r < 3; r++) {
        deepest[r] = frame->centre[r];
    }
    for (int c = 0; c < 3; c++) {
        carom_frame_lanes_add_axis(frame, c, carom_frame_lanes_to_lowest(frame, c), deepest);
    }
    const vdm over = vdm_and(vd_le(vd_abs(deepest[0]), h[0]), vd_le(vd_abs(deepest[1]), h[1]));
    const vdm beside = vdm_and_not(faces, over);
    if (vdm_bits(beside) != 0) {
        const vd alike = vd_mul(vd_set1(CAROM_CLOSED_BOXES_ERROR), carom_frame_lanes_size(frame));
        if (!clipped) {
            clip(frame, corners);
        }
        middle_of_lowest(corners, alike, beside, deepest);
    }
    ends->of_reference[0] = vd_clamp(deepest[0], h[0]);
    ends->of_reference[1] = vd_clamp(deepest[1], h[1]);
    ends->of_reference[2] = h[2];
}

static inline void across_edges(carom_frame_lanes *frame, vd sign, vd n[2]) {
    const vd x = vd_negate(frame->turn[1][0]);
    const vd y = frame->turn[0][0];
    const vd length = vd_sqrt(vd_add(vd_mul(x, x), vd_mul(y, y)));
    n[0] = vd_mul(sign, vd_div(x, length));
    n[1] = vd_mul(sign, vd_div(y, length));
}

static inline void at_edges(carom_frame_lanes *frame, const vd n[2], contact_ends *ends) {
    const vd zero = vd_set1(0.0);
    vd(*turn)[3] = frame->turn;
    vd *h = frame->reference;
    vd *of_incident = ends->of_incident;
    vd *of_reference = ends->of_reference;
    for (int r = 0; r < 3; r++) {
        of_incident[r] = frame->centre[r];
    }
    for (int c = 1; c < 3; c++) {
        const vd rise = vd_add(vd_mul(n[0], turn[0][c]), vd_mul(n[1], turn[1][c]));
        carom_frame_lanes_add_axis(frame, c, vd_select(vd_lt(rise, zero), frame->h[c], vd_negate(frame->h[c])),
                                   of_incident);
    }
    of_reference[0] = vd_select(vd_lt(n[0], zero), vd_negate(h[0]), h[0]);
    of_reference[1] = vd_select(vd_lt(n[1], zero), vd_negate(h[1]), h[1]);
    const vd most = vd_max(vd_abs(turn[0][0]), vd_abs(turn[1][0]));
    const vd way[2] = {vd_div(turn[0][0], most), vd_div(turn[1][0], most)};
    const vd square = vd_add(vd_mul(way[0], way[0]), vd_mul(way[1], way[1]));
    const vd along = vd_add(vd_mul(vd_sub(of_reference[0], of_incident[0]), way[0]),
                            vd_mul(vd_sub(of_reference[1], of_incident[1]), way[1]));
    const vd t = vd_div(vd_div(along, square), most);
    carom_frame_lanes_add_axis(frame, 0, vd_clamp(t, frame->h[0]), of_incident);
    of_reference[2] = vd_clamp(of_incident[2], h[2]);
}

/* The normals along u, v and w, and the ends of contacts. */
static inline void find_ends(carom_frame_lanes *frame, const carom_boxes_axis_lanes *axes, bool clipped,
                             carom_corners_lanes *corners, vd n[3], contact_ends *ends) {
    const uint32_t faces = vdm_bits(axes->faces);
    n[0] = vd_set1(0.0);
    n[1] = vd_set1(0.0);
    n[2] = vd_select(axes->of_i, vd_set1(-1.0), vd_set1(1.0));
    if (faces != 0) {
        under_face(frame, axes->faces, clipped, corners, ends);
    }
    if (faces != CAROM_LANES_ALL) {
        contact_ends of_edges;
        vd across[2];
        across_edges(frame, axes->sign, across);
        at_edges(frame, across, &of_edges);
        for (int r = 0; r < 3; r++) {
            n[r] = vd_select(axes->faces, n[r], r < 2 ? across[r] : vd_set1(0.0));
            ends->of_incident[r] = vd_select(axes->faces, ends->of_incident[r], of_edges.of_incident[r]);
            ends->of_reference[r] = vd_select(axes->faces, ends->of_reference[r], of_edges.of_reference[r]);
        }
    }
}

static inline void find_contacts(const carom_boxes_axis_lanes *axes, bool clipped, carom_frame_lanes *frame,
                                 carom_corners_lanes *corners, carom_touch_lanes *touch) {
    contact_ends ends = {{vd_set1(0.0), vd_set1(0.0), vd_set1(0.0)}, {vd_set1(0.0), vd_set1(0.0), vd_set1(0.0)}};
    vd n[3];
    vd point[2][3];
    find_ends(frame, axes, clipped, corners, n, &ends);
    carom_frame_lanes_vector_to_scene(frame, n, touch->normal);
    carom_frame_lanes_point_to_scene(frame, ends.of_incident, point[0]);
    carom_frame_lanes_point_to_scene(frame, ends.of_reference, point[1]);
    for (int d = 0; d < 3; d++) {
        touch->point_i[d] = vd_select(axes->of_i, point[1][d], point[0][d]);
        touch->point_k[d] = vd_select(axes->of_i, point[0][d], point[1][d]);
    }
}

static inline void find_lanes(carom_pair_block *block, const uint32_t *list, uint32_t n,
                              carom_block_manifolds *manifolds) {
    const carom_lanes_at at = carom_lanes_at_of(block, list);
    const carom_boxes_axis_lanes axes = carom_boxes_axis_lanes_read(carom_lanes_gather(block->axis, &at));
    const bool clipped = manifolds != NULL && vdm_bits(axes.faces) == CAROM_LANES_ALL;
    carom_touch_lanes touch;
    carom_frame_lanes frame;
    carom_corners_lanes corners;
    carom_lanes_gather_box(&block->side[0], &at, &touch.i);
    carom_lanes_gather_box(&block->side[1], &at, &touch.k);
    make_frame(&touch, &axes, &frame);
    if (clipped) {
        clip(&frame, &corners);
    }
    find_contacts(&axes, clipped, &frame, &corners, &touch);
    carom_lanes_scatter_vector(touch.normal, list, block->normal);
    carom_lanes_scatter_vector(touch.point_i, list, block->point_i);
    carom_lanes_scatter_vector(touch.point_k, list, block->point_k);
    if (clipped) {
        carom_manifold_lanes_find_of_faces(block, &at, &touch, &frame, &corners, n, manifolds);
    } else if (manifolds != NULL) {
        carom_manifold_lanes_find(block, &at, &touch, n, manifolds);
    }
}

void carom_boxes_contact(carom_pair_block *block, const uint32_t *place, uint32_t count,
                         carom_block_manifolds *manifolds) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    uint32_t list[CAROM_BLOCK_ROOM];
    carom_lanes_list(place, count, list);
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        find_lanes(block, list + n, n, manifolds);
    }
}
