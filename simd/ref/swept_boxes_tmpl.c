/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes and paths of moving shapes, one by one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/pose.h"
#include "simd/ref/round.h"
#include "simd/ref/swept.h"

#define carom_swept_boxes_twin CAROM_TWIN(swept_boxes)

static void set_sides(const carom_block_side *side, const carom_swept *s, double reach, uint32_t n,
                      const carom_swept_out *out) {
    double start[3][3];
    double end[3][3];
    carom_extent first;
    carom_extent last;
    carom_pose_turn(s->turn, start);
    carom_pose_turn(s->end_turn, end);
    carom_extent_set(side, n, start, &first);
    carom_extent_set(side, n, end, &last);
    const double around = carom_swept_around(s, start);
    const double path_error = CAROM_SWEPT_ERROR * s->core_reach + CAROM_SWEPT_SHIFT * s->sum;
    for (int d = 0; d < 3; d++) {
        const double at = s->at[d];
        const double to = at + s->move[d];
        const double error = CAROM_POSE_BOX_ERROR * (reach + (fabs(at) + fabs(s->move[d]))) + path_error;
        const double more = error + (0.125 * s->ratio) * (around * carom_swept_across(s, d));
        out->corner[d][out->first + n] =
            carom_round_low(carom_lesser(at - first.against[d], to - last.against[d]) - more);
        out->corner[d + 3][out->first + n] =
            carom_round_high(carom_greater(at + first.along[d], to + last.along[d]) + more);
    }
}

uint64_t carom_swept_boxes_twin(carom_block_side *side, const carom_block_motion *motion, const double *reach,
                                uint32_t begin, uint32_t end, const carom_swept_out *out) {
    uint64_t left = 0;
    for (uint32_t n = begin; n < end; n++) {
        carom_swept s;
        carom_path_numbers path;
        if (!carom_extent_is_known(side->shape[n])) {
            left |= (uint64_t)1 << n;
            continue;
        }
        carom_swept_take(side, motion, reach[n], n, &s);
        set_sides(side, &s, reach[n], n, out);
        const bool fits = carom_swept_path(&s, reach[n], &path);
        carom_path_set(&path, out->paths[n]);
        left |= (uint64_t)!(fits && s.valid && carom_ref_pose_is_valid(side, n)) << n;
    }
    return left;
}
