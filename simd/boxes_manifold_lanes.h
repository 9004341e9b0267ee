/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Manifolds of boxes, a pair a lane (simd/ref/boxes_manifold.c is the scalar form). */
#ifndef CAROM_SIMD_BOXES_MANIFOLD_LANES_H
#define CAROM_SIMD_BOXES_MANIFOLD_LANES_H

#include "simd/boxes_axis_lanes.h"
#include "simd/boxes_clip_lanes.h"
#include "simd/gather_lanes.h"
#include "simd/manifold.h"

/* Two boxes, and where they touch. */
typedef struct carom_touch_lanes {
    carom_pose_lanes i;
    carom_pose_lanes k;
    vd normal[3];
    vd point_i[3];
    vd point_k[3];
} carom_touch_lanes;

/* What points are kept, and how they are placed: contact_plane of simd/ref/boxes_manifold.c says what fields mean. */
typedef struct carom_planes_lanes {
    vdm faces; /* where there is a face to clip by */
    vd away[3];
    vd inverse;
    vdm slanted;
    vd plane;
    vd least;
    vd most;
    vd alike;
    vd first[3];
    vd origin[3]; /* what positions are relative to */
} carom_planes_lanes;

/* Points along u, v and w that are chosen. */
typedef struct carom_chosen_lanes {
    vd point[4][3];
    vdm has[4];
} carom_chosen_lanes;

/* The face of the reference in each lane. */
typedef struct carom_reference_lanes {
    vdm of_i; /* i is the reference, not k */
    carom_axis_lanes a;
    vd outward;  /* the side of axis a, 1 or -1 */
    vd along[3]; /* the normal towards the incident box, along axis a, outward, and the next two */
} carom_reference_lanes;

/* The faces that are most parallel to the normal. */
static inline void carom_reference_lanes_most_parallel(carom_touch_lanes *touch, carom_reference_lanes *to) {
    const vd one = vd_set1(1.0);
    vd along_i[3];
    vd along_k[3];
    vd ordered_i[3];
    vd ordered_k[3];
    carom_lanes_to_local(touch->i.turn, touch->normal, along_i);
    carom_lanes_to_local(touch->k.turn, touch->normal, along_k);
    const carom_axis_lanes a_i = carom_axis_lanes_longest(along_i);
    const carom_axis_lanes a_k = carom_axis_lanes_longest(along_k);
    carom_axis_lanes_put_first(a_i, along_i, ordered_i);
    carom_axis_lanes_put_first(a_k, along_k, ordered_k);
    to->of_i = vd_lt(vd_abs(ordered_k[0]), vd_abs(ordered_i[0]));
    to->a = carom_axis_lanes_choose(to->of_i, a_i, a_k);
    const vd towards = vd_select(to->of_i, vd_negate(one), one);
    for (int d = 0; d < 3; d++) {
        to->along[d] = vd_mul(towards, vd_select(to->of_i, ordered_i[d], ordered_k[d]));
    }
    to->outward = vd_select(vd_lt(to->along[0], vd_set1(0.0)), vd_negate(one), one);
    to->along[0] = vd_abs(to->along[0]);
}

/* Those whose normal the pair has, in lanes `where`. */
static inline void carom_reference_lanes_take_axes(const carom_boxes_axis_lanes *axes, vdm where,
                                                   carom_reference_lanes *to) {
    const vd zero = vd_set1(0.0);
    to->of_i = carom_lanes_choose_mask(where, axes->of_i, to->of_i);
    to->a = carom_axis_lanes_choose(where, axes->a, to->a);
    to->outward = vd_select(where, axes->outward, to->outward);
    to->along[0] = vd_select(where, vd_set1(1.0), to->along[0]);
    to->along[1] = vd_select(where, zero, to->along[1]);
    to->along[2] = vd_select(where, zero, to->along[2]);
}

/* The frames of the faces. Incident faces are projected along the pair's normal but in lanes `straight`, where that is
 * the reference's. */
static inline void carom_manifold_lanes_frame(carom_touch_lanes *touch, const carom_boxes_axis_lanes *axes,
                                              vdm straight, carom_frame_lanes *frame, carom_planes_lanes *planes) {
    carom_reference_lanes chosen;
    carom_reference_lanes_most_parallel(touch, &chosen);
    carom_reference_lanes_take_axes(axes, straight, &chosen);
    planes->away[0] = chosen.along[1];
    planes->away[1] = chosen.along[2];
    planes->away[2] = chosen.along[0];
    planes->inverse = vd_div(vd_set1(1.0), planes->away[2]);
    planes->faces = vd_le(vd_set1(CAROM_MANIFOLD_PARALLEL), planes->away[2]);
    planes->slanted = vdm_and_not(planes->faces, straight);
    if (vdm_bits(planes->faces) != 0) {
        carom_frame_lanes_make(&touch->i, &touch->k, chosen.of_i, chosen.a, chosen.outward, frame);
        carom_frame_lanes_put_first(frame, carom_axis_lanes_longest(frame->turn[2]));
        planes->plane = vd_select(planes->slanted, vd_set1(0.0), frame->reference[2]);
    }
}

static inline void carom_manifold_lanes_limits(const carom_pair_block *block, const carom_lanes_at *at,
                                               const carom_touch_lanes *touch, double margin,
                                               carom_planes_lanes *planes) {
    const vd half = vd_set1(0.5);
    const vd reach = carom_lanes_gather(block->reach, at);
    planes->least = vd_mul(half, vd_add(carom_lanes_gather(block->lower, at), carom_lanes_gather(block->upper, at)));
    planes->most = vd_max(vd_add(vd_max(planes->least, vd_set1(0.0)), vd_mul(vd_set1(CAROM_MANIFOLD_SLACK), reach)),
                          vd_set1(margin));
    planes->alike = vd_mul(vd_set1(CAROM_MANIFOLD_ALIKE), reach);
    carom_lanes_gather_vector(block->origin, at, planes->origin);
    for (int d = 0; d < 3; d++) {
        planes->first[d] = vd_mul(half, vd_add(touch->point_i[d], touch->point_k[d]));
    }
}

static inline vd carom_manifold_lanes_separation(const carom_planes_lanes *planes, const vd point[3]) {
    return vd_max(vd_sub(point[2], planes->plane), planes->least);
}

/* The corner that is worth the most, the first of several, and its worth. */
static inline vd carom_corners_lanes_best(const carom_corners_lanes *corners, const vd worth[CAROM_BOXES_CORNERS],
                                          vd best[3]) {
    vd most[3];
    for (int n = 0; n < 3; n++) {
        most[n] = vd_max(vd_max(worth[n], worth[n + 3]), vd_max(worth[n + 6], worth[n + 9]));
    }
    most[0] = vd_max(most[0], vd_max(most[1], most[2]));
    vd_copy(best, corners->point[CAROM_BOXES_CORNERS - 1], 3);
    for (int n = CAROM_BOXES_CORNERS - 2; n >= 0; n--) {
        const vdm is_best = vd_le(most[0], worth[n]);
        for (int r = 0; r < 3; r++) {
            best[r] = vd_select(is_best, corners->point[n][r], best[r]);
        }
    }
    return most[0];
}

/* Keeps the corners that are near; u of the others becomes NaN. The deepest is the first that is chosen. Returns what
 * keep_near of simd/ref/boxes_manifold.c does. */
static inline vd carom_manifold_lanes_keep(const carom_planes_lanes *planes, carom_corners_lanes *corners,
                                           vd first[3]) {
    const vd deep = vd_add(planes->least, planes->alike);
    vd worth[CAROM_BOXES_CORNERS];
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        const vd separation = carom_manifold_lanes_separation(planes, corners->point[n]);
        const vdm kept = vdm_and(vdm_and(corners->kept[n], planes->faces), vd_le(separation, planes->most));
        worth[n] = vd_select(kept, vd_negate(vd_max(separation, deep)), vd_set1(-HUGE_VAL));
        corners->point[n][0] = vd_select(kept, corners->point[n][0], vd_set1(NAN));
    }
    return vd_negate(carom_corners_lanes_best(corners, worth, first));
}

/* Twice the area of a triangle. From here on u and v are relative to the first point. */
static inline vd carom_manifold_lanes_area(const vd a[2], const vd b[3]) {
    return vd_sub(vd_mul(a[0], b[1]), vd_mul(a[1], b[0]));
}

/* What is worth no more than `least`, or is NaN, is worth that: it is not chosen. */
static inline void carom_chosen_lanes_second(const carom_corners_lanes *corners, vd alike, carom_chosen_lanes *chosen) {
    const vd least = vd_mul(alike, alike);
    vd worth[CAROM_BOXES_CORNERS];
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        const vd *point = corners->point[n];
        worth[n] = vd_max(vd_add(vd_mul(point[0], point[0]), vd_mul(point[1], point[1])), least);
    }
    chosen->has[1] = vd_lt(least, carom_corners_lanes_best(corners, worth, chosen->point[1]));
}

static inline void carom_chosen_lanes_third(const carom_corners_lanes *corners, vd least, carom_chosen_lanes *chosen) {
    vd worth[CAROM_BOXES_CORNERS];
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        worth[n] = vd_max(vd_abs(carom_manifold_lanes_area(chosen->point[1], corners->point[n])), least);
    }
    chosen->has[2] = vdm_and(chosen->has[1], vd_lt(least, carom_corners_lanes_best(corners, worth, chosen->point[2])));
}

static inline void carom_chosen_lanes_fourth(const carom_corners_lanes *corners, vd least, carom_chosen_lanes *chosen) {
    const vd *a = chosen->point[1];
    const vd *b = chosen->point[2];
    const vdm falls = vd_lt(carom_manifold_lanes_area(a, b), vd_set1(0.0));
    const vd turn = vd_select(falls, vd_set1(1.0), vd_set1(-1.0));
    const vd back = vd_negate(turn);
    const vd edge[3][2] = {{vd_mul(turn, a[0]), vd_mul(turn, a[1])},
                           {vd_mul(turn, vd_sub(b[0], a[0])), vd_mul(turn, vd_sub(b[1], a[1]))},
                           {vd_mul(back, b[0]), vd_mul(back, b[1])}};
    const vd offset = carom_manifold_lanes_area(edge[1], a);
    vd worth[CAROM_BOXES_CORNERS];
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        const vd first = carom_manifold_lanes_area(edge[0], corners->point[n]);
        const vd second = vd_sub(carom_manifold_lanes_area(edge[1], corners->point[n]), offset);
        const vd third = carom_manifold_lanes_area(edge[2], corners->point[n]);
        worth[n] = vd_max(vd_max(first, vd_max(second, third)), least);
    }
    chosen->has[3] = vdm_and(chosen->has[2], vd_lt(least, carom_corners_lanes_best(corners, worth, chosen->point[3])));
}

static inline void carom_chosen_lanes_choose(carom_corners_lanes *corners, vd alike, carom_chosen_lanes *chosen) {
    const vd *from = chosen->point[0];
    for (int n = 0; n < CAROM_BOXES_CORNERS; n++) {
        corners->point[n][0] = vd_sub(corners->point[n][0], from[0]);
        corners->point[n][1] = vd_sub(corners->point[n][1], from[1]);
    }
    carom_chosen_lanes_second(corners, alike, chosen);
    const vd least = vd_mul(alike, vd_add(vd_abs(chosen->point[1][0]), vd_abs(chosen->point[1][1])));
    carom_chosen_lanes_third(corners, least, chosen);
    carom_chosen_lanes_fourth(corners, least, chosen);
    for (int n = 1; n < 4; n++) {
        chosen->point[n][0] = vd_add(chosen->point[n][0], from[0]);
        chosen->point[n][1] = vd_add(chosen->point[n][1], from[1]);
    }
}

/* Where first points are by their witnesses, but in lanes `by_corner`. */
static inline void carom_manifold_lanes_witness(carom_frame_lanes *frame, const carom_planes_lanes *planes,
                                                vdm by_corner, vd first[3]) {
    vd from[3];
    for (int d = 0; d < 3; d++) {
        from[d] = vd_sub(planes->first[d], frame->at[d]);
    }
    for (int r = 0; r < 2; r++) {
        const vd seen =
            vd_sub(vd_dot(frame->axis[r], from), vd_mul(vd_mul(vd_set1(0.5), planes->least), planes->away[r]));
        first[r] = vd_select(by_corner, first[r], seen);
    }
}

/* Midway between the surfaces, over the references' points at u and v, in the scene. */
static inline void carom_manifold_lanes_place(carom_frame_lanes *frame, const carom_planes_lanes *planes,
                                              const vd foot[2], vd separation, vd placed[3]) {
    const vd on_plane[3] = {foot[0], foot[1], frame->reference[2]};
    vd middle[3];
    vd_add_scaled(on_plane, vd_mul(vd_set1(0.5), separation), planes->away, middle);
    carom_frame_lanes_point_to_scene(frame, middle, placed);
}

/* Points of manifolds, where they are, not relative to the reference. */
typedef struct carom_listed_lanes {
    vd point[4][3];
    vd separation[4];
    vd key[4]; /* carom_manifold_key; infinite: there is no point */
} carom_listed_lanes;

static inline void carom_listed_lanes_set(carom_listed_lanes *listed, int n, vdm has, vd separation) {
    const vd *p = listed->point[n];
    const vd key = vd_add(vd_add(p[0], vd_mul(vd_set1(CAROM_MANIFOLD_ORDER_Y), p[1])),
                          vd_mul(vd_set1(CAROM_MANIFOLD_ORDER_Z), p[2]));
    listed->separation[n] = separation;
    listed->key[n] = vd_select(has, key, vd_set1(HUGE_VAL));
}

static inline void carom_listed_lanes_swap_value(vdm swaps, vd *a, vd *b) {
    const vd x = *a;
    *a = vd_select(swaps, *b, x);
    *b = vd_select(swaps, x, *b);
}

/* carom_manifold_swap */
static inline void carom_listed_lanes_swap(carom_listed_lanes *listed, int a, int b) {
    const vdm swaps = vd_lt(listed->key[b], listed->key[a]);
    carom_listed_lanes_swap_value(swaps, &listed->key[a], &listed->key[b]);
    carom_listed_lanes_swap_value(swaps, &listed->separation[a], &listed->separation[b]);
    for (int d = 0; d < 3; d++) {
        carom_listed_lanes_swap_value(swaps, &listed->point[a][d], &listed->point[b][d]);
    }
}

/* carom_manifold_order */
static inline void carom_listed_lanes_order(carom_listed_lanes *listed) {
    carom_listed_lanes_swap(listed, 0, 1);
    carom_listed_lanes_swap(listed, 2, 3);
    carom_listed_lanes_swap(listed, 0, 2);
    carom_listed_lanes_swap(listed, 1, 3);
    carom_listed_lanes_swap(listed, 1, 2);
}

/* All of a manifold: four points and their separations. Those that there are come first. */
static inline void carom_listed_lanes_store(const carom_listed_lanes *listed, const carom_planes_lanes *planes,
                                            const vdm has[4], vd row[16]) {
    for (int n = 0; n < 4; n++) {
        for (int d = 0; d < 3; d++) {
            row[3 * n + d] = vd_select(has[n], vd_add(listed->point[n][d], planes->origin[d]), vd_set1(0.0));
        }
        row[12 + n] = vd_select(has[n], listed->separation[n], vd_set1(0.0));
    }
}

/* What is left of the incident boxes' faces. */
static inline void carom_manifold_lanes_clip(carom_frame_lanes *frame, const carom_planes_lanes *planes,
                                             carom_corners_lanes *corners) {
    carom_face_lanes face;
    carom_face_lanes_make(frame, &face);
    carom_face_lanes_slant(frame, planes->away, planes->inverse, planes->slanted, &face);
    carom_clip_lanes(frame, &face, corners);
}

/* The points of a manifold, from its corners. */
static inline __attribute__((always_inline)) void carom_manifold_lanes_choose(carom_frame_lanes *frame,
                                                                              const carom_planes_lanes *planes,
                                                                              carom_corners_lanes *corners,
                                                                              carom_chosen_lanes *chosen, vd row[16]) {
    carom_listed_lanes listed;
    for (int n = 0; n < 4; n++) {
        chosen->point[n][0] = chosen->point[n][1] = chosen->point[n][2] = vd_set1(0.0);
    }
    const vd deepest = carom_manifold_lanes_keep(planes, corners, chosen->point[0]);
    const vdm by_corner = vd_le(deepest, vd_add(planes->least, planes->alike));
    carom_manifold_lanes_witness(frame, planes, by_corner, chosen->point[0]);
    const vd first = carom_manifold_lanes_separation(planes, chosen->point[0]);
    carom_manifold_lanes_place(frame, planes, chosen->point[0], first, listed.point[0]);
    for (int d = 0; d < 3; d++) {
        listed.point[0][d] = vd_select(by_corner, listed.point[0][d], planes->first[d]);
    }
    carom_listed_lanes_set(&listed, 0, chosen->has[0], vd_select(by_corner, first, planes->least));
    carom_chosen_lanes_choose(corners, planes->alike, chosen);
    for (int n = 1; n < 4; n++) {
        const vd separation = carom_manifold_lanes_separation(planes, chosen->point[n]);
        carom_manifold_lanes_place(frame, planes, chosen->point[n], separation, listed.point[n]);
        carom_listed_lanes_set(&listed, n, chosen->has[n], separation);
    }
    carom_listed_lanes_order(&listed);
    carom_listed_lanes_store(&listed, planes, chosen->has, row);
}

static inline void carom_manifold_lanes_store(const carom_chosen_lanes *chosen, const vd row[16], uint32_t n,
                                              carom_block_manifolds *manifolds) {
    double *to[2][CAROM_PAIRS];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        to[0][l] = &manifolds->points[n + l].point[0][0];
        to[1][l] = to[0][l] + 8;
        manifolds->count[n + l] = 0;
        for (int p = 0; p < 4; p++) {
            manifolds->count[n + l] += vdm_bits(chosen->has[p]) >> l & 1;
        }
    }
    vd_store_rows(to[0], row);
    vd_store_rows(to[1], row + 8);
}

static inline carom_chosen_lanes carom_chosen_lanes_none(void) {
    return (carom_chosen_lanes){.has = {vdm_from_bits(CAROM_LANES_ALL)}};
}

/* Manifolds n on. */
static inline void carom_manifold_lanes_find(const carom_pair_block *block, const carom_lanes_at *at,
                                             carom_touch_lanes *touch, uint32_t n, carom_block_manifolds *manifolds) {
    const carom_boxes_axis_lanes axes = carom_boxes_axis_lanes_read(carom_lanes_gather(block->axis, at));
    const vdm overlap = vd_le(carom_lanes_gather(block->lower, at), vd_set1(0.0));
    carom_frame_lanes frame;
    carom_planes_lanes planes;
    carom_corners_lanes corners;
    carom_chosen_lanes chosen = carom_chosen_lanes_none();
    vd row[16];
    carom_manifold_lanes_limits(block, at, touch, manifolds->margin, &planes);
    carom_manifold_lanes_frame(touch, &axes, vdm_and(axes.faces, overlap), &frame, &planes);
    if (vdm_bits(planes.faces) != 0) {
        carom_manifold_lanes_clip(&frame, &planes, &corners);
        carom_manifold_lanes_choose(&frame, &planes, &corners, &chosen, row);
    } else {
        carom_listed_lanes listed;
        for (int p = 0; p < 4; p++) {
            vd_copy(listed.point[p], planes.first, 3);
            listed.separation[p] = planes.least;
        }
        carom_listed_lanes_store(&listed, &planes, chosen.has, row);
    }
    carom_manifold_lanes_store(&chosen, row, n, manifolds);
}

/* Those of boxes that overlap along a face's normal in all lanes, whose frames and corners are there. Nothing is
 * slanted. */
static inline void carom_manifold_lanes_find_of_faces(const carom_pair_block *block, const carom_lanes_at *at,
                                                      const carom_touch_lanes *touch, carom_frame_lanes *frame,
                                                      carom_corners_lanes *corners, uint32_t n,
                                                      carom_block_manifolds *manifolds) {
    const vd zero = vd_set1(0.0);
    carom_planes_lanes planes = {
        .faces = vdm_from_bits(CAROM_LANES_ALL), .away = {zero, zero, vd_set1(1.0)}, .plane = frame->reference[2]};
    carom_chosen_lanes chosen = carom_chosen_lanes_none();
    vd row[16];
    carom_manifold_lanes_limits(block, at, touch, manifolds->margin, &planes);
    carom_manifold_lanes_choose(frame, &planes, corners, &chosen, row);
    carom_manifold_lanes_store(&chosen, row, n, manifolds);
}

#endif
