/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes with edges along x, y and z, in float. */
#ifndef CAROM_IMPACTS_BOXES_H
#define CAROM_IMPACTS_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/kernels.h"

typedef struct carom_box {
    float lo[3];
    float hi[3];
} carom_box;

/* Many of them. */
typedef struct carom_box_array {
    float *lo[3];
    float *hi[3];
} carom_box_array;

static inline carom_box carom_box_array_get(const carom_box_array *boxes, uint64_t n) {
    carom_box box;
    for (int a = 0; a < 3; a++) {
        box.lo[a] = boxes->lo[a][n];
        box.hi[a] = boxes->hi[a][n];
    }
    return box;
}

static inline void carom_box_array_put(const carom_box_array *boxes, uint64_t n, const carom_box *box) {
    for (int a = 0; a < 3; a++) {
        boxes->lo[a][n] = box->lo[a];
        boxes->hi[a][n] = box->hi[a];
    }
}

static inline carom_box carom_box_of(const carom_hull_box *hull) {
    return (carom_box){{hull->lo[0], hull->lo[1], hull->lo[2]}, {hull->hi[0], hull->hi[1], hull->hi[2]}};
}

static inline void carom_box_put(carom_hull_box *hull, const carom_box *box) {
    for (int a = 0; a < 3; a++) {
        hull->lo[a] = box->lo[a];
        hull->hi[a] = box->hi[a];
    }
}

/* Whether two boxes have a point in common, on their faces too. */
static inline bool carom_box_meets(const carom_box *a, const carom_box *b) {
    bool meet = true;
    for (int d = 0; d < 3; d++) {
        meet = meet && a->lo[d] <= b->hi[d] && a->hi[d] >= b->lo[d];
    }
    return meet;
}

/* Whether all of `other` is in the box. */
static inline bool carom_box_holds(const carom_box *box, const carom_box *other) {
    bool holds = true;
    for (int d = 0; d < 3; d++) {
        holds = holds && box->lo[d] <= other->lo[d] && box->hi[d] >= other->hi[d];
    }
    return holds;
}

/* Makes `box` hold `other` too. */
static inline void carom_box_widen(carom_box *box, const carom_box *other) {
    for (int d = 0; d < 3; d++) {
        box->lo[d] = other->lo[d] < box->lo[d] ? other->lo[d] : box->lo[d];
        box->hi[d] = other->hi[d] > box->hi[d] ? other->hi[d] : box->hi[d];
    }
}

#endif
