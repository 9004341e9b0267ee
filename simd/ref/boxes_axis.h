/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the number of an axis of two boxes says (simd/ref/closed_boxes.h). */
#ifndef CAROM_SIMD_REF_BOXES_AXIS_H
#define CAROM_SIMD_REF_BOXES_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/ref/closed_boxes.h"

typedef struct carom_boxes_axis {
    bool is_face;   /* the normal of a face, or the common one of two edges */
    bool of_i;      /* of a face of i; else the reference is k */
    uint32_t a;     /* the face or the edge of the reference */
    uint32_t c;     /* the edge of the other box */
    double sign;    /* of the axis, which then points from k to i */
    double outward; /* 1, or -1 where the face looks back along the reference's axis */
} carom_boxes_axis;

static inline carom_boxes_axis carom_boxes_axis_read(uint32_t axis) {
    const uint32_t forth = axis % CAROM_CLOSED_BOXES_BACK;
    const bool is_face = forth < CAROM_CLOSED_BOXES_EDGES;
    const bool of_i = forth < CAROM_CLOSED_BOXES_K;
    const double sign = axis >= CAROM_CLOSED_BOXES_BACK ? -1.0 : 1.0;
    return (carom_boxes_axis){.is_face = is_face,
                              .of_i = of_i,
                              .a = is_face ? forth % 3 : (forth - CAROM_CLOSED_BOXES_EDGES) / 3,
                              .c = forth % 3,
                              .sign = sign,
                              .outward = !is_face ? 1.0
                                         : of_i   ? -sign
                                                  : sign};
}

#endif
