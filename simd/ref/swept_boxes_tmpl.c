/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes and paths of moving shapes, one by one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/pose.h"
#include "simd/ref/round.h"
#include "simd/ref/swept.h"

#define carom_swept_boxes_twin CAROM_TWIN(swept_boxes)

/* How far a posed core reaches along axis d from its position, with the radius. */
static double extent(const carom_swept *s, double turn[3][3], int d) {
    return ((fabs(turn[d][0]) * s->half[0] + fabs(turn[d][1]) * s->half[1]) + fabs(turn[d][2]) * s->half[2]) +
           s->radius;
}

static void set_sides(carom_swept *s, double reach, carom_real *const corner[6], uint64_t at) {
    double start[3][3];
    double end[3][3];
    carom_pose_turn(s->turn, start);
    carom_pose_turn(s->end_turn, end);
    const double around = carom_swept_around(s, start);
    const double path_error = CAROM_SWEPT_ERROR * s->core_reach + CAROM_SWEPT_SHIFT * s->sum;
    for (int d = 0; d < 3; d++) {
        const double first = extent(s, start, d);
        const double last = extent(s, end, d);
        const double to = s->at[d] + s->move[d];
        const double error = CAROM_POSE_BOX_ERROR * (reach + (fabs(s->at[d]) + fabs(s->move[d]))) + path_error;
        const double more = error + (0.125 * s->ratio) * (around * carom_swept_across(s, d));
        corner[d][at] = carom_round_low(carom_lesser(s->at[d] - first, to - last) - more);
        corner[d + 3][at] = carom_round_high(carom_greater(s->at[d] + first, to + last) + more);
    }
}

uint64_t carom_swept_boxes_twin(carom_block_side *side, const carom_block_motion *motion, const double *reach,
                                uint32_t begin, uint32_t end, const carom_swept_out *out) {
    uint64_t left = 0;
    for (uint32_t n = begin; n < end; n++) {
        carom_swept s;
        carom_path_numbers path;
        carom_swept_take(side, motion, n, &s);
        set_sides(&s, reach[n], out->corner, out->first + n);
        const bool fits = carom_swept_path(&s, reach[n], &path);
        carom_path_set(&path, out->paths[n]);
        left |= (uint64_t)!(fits && s.valid && carom_ref_pose_is_valid(side, n)) << n;
    }
    return left;
}
