/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the numbers of axes of two boxes say, a pair a lane (simd/ref/boxes_axis.h is the scalar form). */
#ifndef CAROM_SIMD_BOXES_AXIS_LANES_H
#define CAROM_SIMD_BOXES_AXIS_LANES_H

#include "simd/boxes_frame_lanes.h"
#include "simd/ref/boxes_axis.h"

/* carom_boxes_axis says what the fields mean. */
typedef struct carom_boxes_axis_lanes {
    vdm faces;
    vdm of_i;
    carom_axis_lanes a;
    carom_axis_lanes c;
    vd sign;
    vd outward;
} carom_boxes_axis_lanes;

/* 0, 1 or 2 in each lane; what is less counts as 0. */
static inline carom_axis_lanes carom_axis_lanes_of_digit(vd digit) {
    return (carom_axis_lanes){vd_le(vd_set1(1.0), digit), vd_le(vd_set1(2.0), digit)};
}

static inline carom_boxes_axis_lanes carom_boxes_axis_lanes_read(vd axis) {
    const vd one = vd_set1(1.0);
    const vd zero = vd_set1(0.0);
    const vdm back = vd_le(vd_set1(CAROM_CLOSED_BOXES_BACK), axis);
    const vd forth = vd_select(back, vd_sub(axis, vd_set1(CAROM_CLOSED_BOXES_BACK)), axis);
    const vdm faces = vd_lt(forth, vd_set1(CAROM_CLOSED_BOXES_EDGES));
    const vdm of_i = vd_lt(forth, vd_set1(CAROM_CLOSED_BOXES_K));
    vd third = zero; /* forth / 3 */
    for (int n = 3; n < CAROM_CLOSED_BOXES_AXES; n += 3) {
        third = vd_add(third, vd_select(vd_le(vd_set1(n), forth), one, zero));
    }
    const carom_axis_lanes digit = carom_axis_lanes_of_digit(vd_sub(forth, vd_mul(vd_set1(3.0), third)));
    const carom_axis_lanes edge = carom_axis_lanes_of_digit(vd_sub(third, vd_set1(2.0)));
    const vd sign = vd_select(back, vd_negate(one), one);
    return (carom_boxes_axis_lanes){.faces = faces,
                                    .of_i = of_i,
                                    .a = carom_axis_lanes_choose(faces, digit, edge),
                                    .c = digit,
                                    .sign = sign,
                                    .outward = vd_select(faces, vd_select(of_i, vd_negate(sign), sign), one)};
}

#endif
