/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/ref/closed_boxes.h"

#include "simd/ref/closed_work.h"

/* Both boxes, in their own frames. */
typedef struct box_pair {
    const double *h[2]; /* half extents of i and k */
    double turn[3][3];  /* turn[a][c]: axis c of i, along axis a of k */
    double place[2][3]; /* from k's centre to i's: in the frame of i, and of k */
} box_pair;

/* The best axis so far. */
typedef struct best_axis {
    uint32_t axis;
    double height;  /* along it */
    double highest; /* along any axis */
} best_axis;

static void make_pair(const carom_posed *i, const carom_posed *k, const double between[3], box_pair *pair) {
    pair->h[0] = i->shape->extent;
    pair->h[1] = k->shape->extent;
    carom_pose_to_local(i->turn, between, pair->place[0]);
    carom_pose_to_local(k->turn, between, pair->place[1]);
    for (int c = 0; c < 3; c++) {
        const double axis[3] = {i->turn[0][c], i->turn[1][c], i->turn[2][c]};
        double local[3];
        carom_pose_to_local(k->turn, axis, local);
        for (int a = 0; a < 3; a++) {
            pair->turn[a][c] = fabs(local[a]) < CAROM_CLOSED_BOXES_LEAST ? 0.0 : local[a];
        }
    }
}

/* An axis replaces the best one if it is higher by more than `margin`. */
static void take(uint32_t axis, double height, double place, double margin, best_axis *best) {
    best->highest = carom_greater(height, best->highest);
    if (height - margin > best->height) {
        best->height = height;
        best->axis = axis + (place < 0.0 ? CAROM_CLOSED_BOXES_BACK : 0);
    }
}

static void take_faces(const box_pair *pair, best_axis *best) {
    const double(*turn)[3] = pair->turn;
    const double *i = pair->h[0];
    const double *k = pair->h[1];
    for (uint32_t c = 0; c < 3; c++) {
        const double of_k = k[0] * fabs(turn[0][c]) + k[1] * fabs(turn[1][c]) + k[2] * fabs(turn[2][c]);
        take(c, fabs(pair->place[0][c]) - (i[c] + of_k), pair->place[0][c], 0.0, best);
    }
    for (uint32_t a = 0; a < 3; a++) {
        const double of_i = i[0] * fabs(turn[a][0]) + i[1] * fabs(turn[a][1]) + i[2] * fabs(turn[a][2]);
        take(CAROM_CLOSED_BOXES_K + a, fabs(pair->place[1][a]) - (k[a] + of_i), pair->place[1][a], 0.0, best);
    }
}

/* The common normal of edge a of k and edge c of i, in k's frame and not of length 1: 0 along a, `normal` along the two
 * axes after a. */
static double common_normal(const box_pair *pair, uint32_t a, uint32_t c, double normal[2]) {
    normal[0] = -pair->turn[(a + 2) % 3][c];
    normal[1] = pair->turn[(a + 1) % 3][c];
    return sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
}

/* How far along a common normal a column of `turn` goes. */
static double along_normal(const box_pair *pair, uint32_t a, const double normal[2], uint32_t column) {
    return normal[0] * pair->turn[(a + 1) % 3][column] + normal[1] * pair->turn[(a + 2) % 3][column];
}

/* Edges that are parallel have no common normal. A face's normal is better than one that is as good to rounding. */
static void take_edges(const box_pair *pair, double margin, best_axis *best) {
    for (uint32_t a = 0; a < 3; a++) {
        const uint32_t u = (a + 1) % 3;
        const uint32_t v = (a + 2) % 3;
        for (uint32_t c = 0; c < 3; c++) {
            double n[2];
            const double length = common_normal(pair, a, c, n);
            const double place = n[0] * pair->place[1][u] + n[1] * pair->place[1][v];
            const double of_k = pair->h[1][u] * fabs(n[0]) + pair->h[1][v] * fabs(n[1]);
            const double of_i = pair->h[0][(c + 1) % 3] * fabs(along_normal(pair, a, n, (c + 1) % 3)) +
                                pair->h[0][(c + 2) % 3] * fabs(along_normal(pair, a, n, (c + 2) % 3));
            if (length > 0.0) {
                take(CAROM_CLOSED_BOXES_EDGES + 3 * a + c, (fabs(place) - (of_k + of_i)) / length, place, margin, best);
            }
        }
    }
}

uint32_t carom_closed_boxes(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    double between[3];
    box_pair pair;
    carom_closed_between(i, k, between);
    make_pair(i, k, between, &pair);
    const double centres = carom_closed_sum(between);
    const double size = centres + carom_closed_sum(pair.h[0]) + carom_closed_sum(pair.h[1]);
    const double error = size > 0.0 ? CAROM_CLOSED_BOXES_ERROR * size + CAROM_CLOSED_LEAST : 0.0;
    best_axis best = {.height = -HUGE_VAL, .highest = -HUGE_VAL};
    take_faces(&pair, &best);
    take_edges(&pair, error, &best);
    gap->lower = best.height - error;
    gap->upper = (gap->lower > 0.0 ? centres : best.highest) + error;
    return best.axis;
}
