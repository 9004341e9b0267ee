/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two boxes by 15 axes, a pair a lane (simd/ref/closed_boxes.c is the scalar form). */
#ifndef CAROM_SIMD_CLOSED_BOXES_LANES_H
#define CAROM_SIMD_CLOSED_BOXES_LANES_H

#include <math.h>

#include "simd/pose_lanes.h"
#include "simd/ref/closed_boxes.h"

typedef struct carom_box_lanes {
    vd h[2][3];
    vd turn[3][3];
    vd place[2][3];
} carom_box_lanes;

typedef struct carom_best_lanes {
    vd axis;
    vd height;
    vd highest;
} carom_best_lanes;

static inline void carom_boxes_lanes_make(carom_pose_lanes *i, carom_pose_lanes *k, const vd between[3],
                                          carom_box_lanes *pair) {
    const vd least = vd_set1(CAROM_CLOSED_BOXES_LEAST);
    carom_lanes_to_local(i->turn, between, pair->place[0]);
    carom_lanes_to_local(k->turn, between, pair->place[1]);
    for (int c = 0; c < 3; c++) {
        vd axis[3];
        vd local[3];
        carom_lanes_column(i->turn, c, axis);
        carom_lanes_to_local(k->turn, axis, local);
        pair->h[0][c] = i->extent[c];
        pair->h[1][c] = k->extent[c];
        for (int a = 0; a < 3; a++) {
            pair->turn[a][c] = vd_select(vd_lt(vd_abs(local[a]), least), vd_set1(0.0), local[a]);
        }
    }
}

/* An axis replaces the best one where it is higher by more than `margin`. */
static inline void carom_boxes_lanes_take(int axis, vd height, vd place, vd margin, carom_best_lanes *best) {
    const vdm higher = vd_lt(best->height, vd_sub(height, margin));
    const vd number = vd_select(vd_lt(place, vd_set1(0.0)), vd_set1(axis + CAROM_CLOSED_BOXES_BACK), vd_set1(axis));
    best->highest = vd_max(height, best->highest);
    best->height = vd_select(higher, height, best->height);
    best->axis = vd_select(higher, number, best->axis);
}

/* x |a| + y |b| + z |c|. */
static inline vd carom_boxes_lanes_reach(const vd h[3], vd a, vd b, vd c) {
    return vd_add(vd_add(vd_mul(h[0], vd_abs(a)), vd_mul(h[1], vd_abs(b))), vd_mul(h[2], vd_abs(c)));
}

static inline void carom_boxes_lanes_faces(carom_box_lanes *pair, carom_best_lanes *best) {
    const vd zero = vd_set1(0.0);
    vd(*turn)[3] = pair->turn;
    for (int c = 0; c < 3; c++) {
        const vd of_k = carom_boxes_lanes_reach(pair->h[1], turn[0][c], turn[1][c], turn[2][c]);
        const vd place = pair->place[0][c];
        carom_boxes_lanes_take(c, vd_sub(vd_abs(place), vd_add(pair->h[0][c], of_k)), place, zero, best);
    }
    for (int a = 0; a < 3; a++) {
        const vd of_i = carom_boxes_lanes_reach(pair->h[0], turn[a][0], turn[a][1], turn[a][2]);
        const vd place = pair->place[1][a];
        carom_boxes_lanes_take(CAROM_CLOSED_BOXES_K + a, vd_sub(vd_abs(place), vd_add(pair->h[1][a], of_i)), place,
                               zero, best);
    }
}

/* Half the length, along the common normal n, of i in its axis `column`. */
static inline vd carom_boxes_lanes_along(carom_box_lanes *pair, int a, const vd n[2], int column) {
    const vd along =
        vd_add(vd_mul(n[0], pair->turn[(a + 1) % 3][column]), vd_mul(n[1], pair->turn[(a + 2) % 3][column]));
    return vd_mul(pair->h[0][column], vd_abs(along));
}

static inline void carom_boxes_lanes_edges(carom_box_lanes *pair, vd margin, carom_best_lanes *best) {
    const vd never = vd_set1(-HUGE_VAL);
    for (int a = 0; a < 3; a++) {
        const int u = (a + 1) % 3;
        const int v = (a + 2) % 3;
        for (int c = 0; c < 3; c++) {
            const vd n[2] = {vd_negate(pair->turn[v][c]), pair->turn[u][c]};
            const vd length = vd_sqrt(vd_add(vd_mul(n[0], n[0]), vd_mul(n[1], n[1])));
            const vd place = vd_add(vd_mul(n[0], pair->place[1][u]), vd_mul(n[1], pair->place[1][v]));
            const vd of_k = vd_add(vd_mul(pair->h[1][u], vd_abs(n[0])), vd_mul(pair->h[1][v], vd_abs(n[1])));
            const vd of_i = vd_add(carom_boxes_lanes_along(pair, a, n, (c + 1) % 3),
                                   carom_boxes_lanes_along(pair, a, n, (c + 2) % 3));
            const vd height = vd_div(vd_sub(vd_abs(place), vd_add(of_k, of_i)), length);
            carom_boxes_lanes_take(CAROM_CLOSED_BOXES_EDGES + 3 * a + c,
                                   vd_select(vd_lt(vd_set1(0.0), length), height, never), place, margin, best);
        }
    }
}

static inline void carom_boxes_lanes_find(carom_pair_block *block, uint32_t n) {
    carom_pose_lanes i;
    carom_pose_lanes k;
    carom_box_lanes pair;
    vd between[3];
    carom_lanes_pose(&block->side[0], n, &i);
    carom_lanes_pose(&block->side[1], n, &k);
    carom_lanes_between(&i, &k, between);
    carom_boxes_lanes_make(&i, &k, between, &pair);
    const vd centres = vd_sum_of_sizes(between);
    const vd size = vd_add(vd_add(centres, vd_sum_of_sizes(pair.h[0])), vd_sum_of_sizes(pair.h[1]));
    const vd error = carom_lanes_error(CAROM_CLOSED_BOXES_ERROR, size);
    const vd never = vd_set1(-HUGE_VAL);
    carom_best_lanes best = {.axis = vd_set1(0.0), .height = never, .highest = never};
    carom_boxes_lanes_faces(&pair, &best);
    carom_boxes_lanes_edges(&pair, error, &best);
    const vd lower = vd_sub(best.height, error);
    const vd upper = vd_select(vd_lt(vd_set1(0.0), lower), centres, best.highest);
    vd_store(block->lower + n, lower);
    vd_store(block->upper + n, vd_add(upper, error));
    vd_store(block->axis + n, best.axis);
}

#endif
