/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts of boxes and their manifolds, in vectors. Lanes hold normals of faces and of edges side by side; what no
 * lane needs is left out. */
#include "simd/boxes_manifold_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/boxes_axis.h"

#define carom_boxes_contact CAROM_KERNEL_OF(boxes_contact)

/* What the numbers of axes say: a carom_boxes_axis in each lane. */
typedef struct axis_numbers {
    uint32_t faces; /* bit n: lane n */
    uint32_t of_i;
    carom_axis_lanes a;
    carom_axis_lanes c;
    vd sign;
    vd outward;
} axis_numbers;

/* The ends of a contact. */
typedef struct contact_ends {
    vd of_incident[3];
    vd of_reference[3];
} contact_ends;

static inline void read_axes(const double *axis, const uint32_t *list, axis_numbers *to) {
    double sign[CAROM_PAIRS];
    double outward[CAROM_PAIRS];
    uint32_t past[4] = {0, 0, 0, 0};
    to->faces = 0;
    to->of_i = 0;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        const carom_boxes_axis read = carom_boxes_axis_read((uint32_t)axis[list[l]]);
        sign[l] = read.sign;
        outward[l] = read.outward;
        to->faces |= (uint32_t)read.is_face << l;
        to->of_i |= (uint32_t)read.of_i << l;
        past[0] |= (uint32_t)(read.a > 0) << l;
        past[1] |= (uint32_t)(read.a > 1) << l;
        past[2] |= (uint32_t)(read.c > 0) << l;
        past[3] |= (uint32_t)(read.c > 1) << l;
    }
    to->a = (carom_axis_lanes){vdm_from_bits(past[0]), vdm_from_bits(past[1])};
    to->c = (carom_axis_lanes){vdm_from_bits(past[2]), vdm_from_bits(past[3])};
    to->sign = vd_load(sign);
    to->outward = vd_load(outward);
}

static inline void make_frame(const carom_touch_lanes *touch, const axis_numbers *axis, carom_frame_lanes *frame) {
    const vdm of_i = vdm_from_bits(axis->of_i);
    const vdm faces = vdm_from_bits(axis->faces);
    carom_pose_lanes reference;
    carom_pose_lanes incident;
    carom_lanes_choose(of_i, &touch->i, &touch->k, &reference);
    carom_lanes_choose(of_i, &touch->k, &touch->i, &incident);
    carom_frame_lanes_make(&reference, &incident, axis->a, axis->outward, frame);
    const carom_axis_lanes steepest = carom_axis_lanes_longest(frame->turn[2]);
    const vdm edges = vdm_from_bits(CAROM_LANES_ALL & ~axis->faces);
    carom_frame_lanes_put_first(frame, carom_axis_lanes_choose(faces, steepest, edges, axis->c));
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

/* Under faces, in lanes `faces`. */
static inline void under_face(carom_frame_lanes *frame, uint32_t faces, contact_ends *ends) {
    vd *deepest = ends->of_incident;
    vd *h = frame->reference;
    for (int r = 0; r < 3; r++) {
        deepest[r] = frame->centre[r];
    }
    for (int c = 0; c < 3; c++) {
        carom_frame_lanes_add_axis(frame, c, carom_frame_lanes_to_lowest(frame, c), deepest);
    }
    const vdm over = vdm_and(vd_le(vd_abs(deepest[0]), h[0]), vd_le(vd_abs(deepest[1]), h[1]));
    const uint32_t beside = faces & ~vdm_bits(over);
    if (beside != 0) {
        const vd alike = vd_mul(vd_set1(CAROM_CLOSED_BOXES_ERROR), carom_frame_lanes_size(frame));
        carom_corners_lanes corners;
        carom_clip_lanes(frame, &corners);
        middle_of_lowest(&corners, alike, vdm_from_bits(beside), deepest);
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
static inline void find_ends(carom_frame_lanes *frame, const axis_numbers *axis, vd n[3], contact_ends *ends) {
    const vdm faces = vdm_from_bits(axis->faces);
    n[0] = vd_set1(0.0);
    n[1] = vd_set1(0.0);
    n[2] = vd_select(vdm_from_bits(axis->of_i), vd_set1(-1.0), vd_set1(1.0));
    if (axis->faces != 0) {
        under_face(frame, axis->faces, ends);
    }
    if (axis->faces != CAROM_LANES_ALL) {
        contact_ends of_edges;
        vd across[2];
        across_edges(frame, axis->sign, across);
        at_edges(frame, across, &of_edges);
        for (int r = 0; r < 3; r++) {
            n[r] = vd_select(faces, n[r], r < 2 ? across[r] : vd_set1(0.0));
            ends->of_incident[r] = vd_select(faces, ends->of_incident[r], of_edges.of_incident[r]);
            ends->of_reference[r] = vd_select(faces, ends->of_reference[r], of_edges.of_reference[r]);
        }
    }
}

static inline void find_contacts(const double *axis_of, const uint32_t *list, carom_touch_lanes *touch) {
    axis_numbers axis;
    carom_frame_lanes frame;
    contact_ends ends = {{vd_set1(0.0), vd_set1(0.0), vd_set1(0.0)}, {vd_set1(0.0), vd_set1(0.0), vd_set1(0.0)}};
    vd n[3];
    vd point[2][3];
    read_axes(axis_of, list, &axis);
    make_frame(touch, &axis, &frame);
    find_ends(&frame, &axis, n, &ends);
    carom_frame_lanes_vector_to_scene(&frame, n, touch->normal);
    carom_frame_lanes_point_to_scene(&frame, ends.of_incident, point[0]);
    carom_frame_lanes_point_to_scene(&frame, ends.of_reference, point[1]);
    for (int d = 0; d < 3; d++) {
        touch->point_i[d] = vd_select(vdm_from_bits(axis.of_i), point[1][d], point[0][d]);
        touch->point_k[d] = vd_select(vdm_from_bits(axis.of_i), point[0][d], point[1][d]);
    }
}

static inline void find_lanes(carom_pair_block *block, const uint32_t *list, const carom_lanes_at *at,
                              carom_touch_lanes *touch) {
    carom_lanes_gather_box(&block->side[0], at, &touch->i);
    carom_lanes_gather_box(&block->side[1], at, &touch->k);
    find_contacts(block->axis, list, touch);
    carom_lanes_scatter_vector(touch->normal, list, block->normal);
    carom_lanes_scatter_vector(touch->point_i, list, block->point_i);
    carom_lanes_scatter_vector(touch->point_k, list, block->point_k);
}

void carom_boxes_contact(carom_pair_block *block, const uint32_t *place, uint32_t count,
                         carom_block_manifolds *manifolds) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    uint32_t list[CAROM_BLOCK_ROOM];
    carom_lanes_list(place, count, list);
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        const carom_lanes_at at = carom_lanes_at_of(block, list + n);
        carom_touch_lanes touch;
        find_lanes(block, list + n, &at, &touch);
        if (manifolds != NULL) {
            carom_manifold_lanes_find(block, &at, &touch, n, manifolds);
        }
    }
}
