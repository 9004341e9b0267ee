/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes and paths of moving shapes, in vectors. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/round_lanes.h"
#include "simd/swept_lanes.h"

#define carom_swept_boxes CAROM_KERNEL(swept_boxes)
#define carom_swept_boxes_twin CAROM_TWIN(swept_boxes)

static inline vd extent(const carom_swept_lanes *s, vd turn[3][3], int d) {
    const vd x = vd_mul(vd_abs(turn[d][0]), s->half[0]);
    const vd y = vd_mul(vd_abs(turn[d][1]), s->half[1]);
    const vd z = vd_mul(vd_abs(turn[d][2]), s->half[2]);
    return vd_add(vd_swept_sum3(x, y, z), s->radius);
}

static inline void set_sides(const carom_swept_lanes *s, vd reach, carom_real *const corner[6], uint64_t at) {
    vd start[3][3];
    vd end[3][3];
    carom_lanes_turn(s->turn, start);
    carom_lanes_turn(s->end_turn, end);
    const vd around = carom_swept_lanes_around(s, start);
    const vd path_error =
        vd_add(vd_mul(vd_set1(CAROM_SWEPT_ERROR), s->core_reach), vd_mul(vd_set1(CAROM_SWEPT_SHIFT), s->sum));
    for (int d = 0; d < 3; d++) {
        const vd first = extent(s, start, d);
        const vd last = extent(s, end, d);
        const vd to = vd_add(s->at[d], s->move[d]);
        const vd size = vd_add(reach, vd_add(vd_abs(s->at[d]), vd_abs(s->move[d])));
        const vd error = vd_add(vd_mul(vd_set1(CAROM_POSE_BOX_ERROR), size), path_error);
        const vd bend =
            vd_mul(vd_mul(vd_set1(0.125), s->ratio), vd_mul(around, carom_swept_lanes_across(s, d)));
        const vd more = vd_add(error, bend);
        carom_round_lanes_low(corner[d] + at, vd_sub(vd_min(vd_sub(s->at[d], first), vd_sub(to, last)), more));
        carom_round_lanes_high(corner[d + 3] + at, vd_add(vd_max(vd_add(s->at[d], first), vd_add(to, last)), more));
    }
}

/* Columns of paths become rows. */
static inline void put_paths(const carom_path_lanes *from, uint32_t rests, float (*to)[CAROM_PATH_NUMBERS]) {
    for (uint32_t n = 0; n < CAROM_PAIRS; n++) {
        carom_path_numbers path = {.spread = from->spread[n], .rests = (double)(rests >> n & 1)};
        for (int d = 0; d < 3; d++) {
            path.middle[d] = from->middle[d][n];
            path.half_way[d] = from->half_way[d][n];
        }
        for (int d = 0; d < 4; d++) {
            path.turn[d] = from->turn[d][n];
        }
        carom_path_set(&path, to[n]);
    }
}

uint64_t carom_swept_boxes(carom_block_side *side, const carom_block_motion *motion, const double *reach,
                           uint32_t begin, uint32_t end, const carom_swept_out *out) {
    uint64_t left = 0;
    uint32_t n = begin;
    for (; n + CAROM_PAIRS <= end; n += CAROM_PAIRS) {
        const vd reaches = vd_load(reach + n);
        carom_swept_lanes s;
        carom_path_lanes path;
        carom_swept_lanes_take(side, motion, n, &s);
        set_sides(&s, reaches, out->corner, out->first + n);
        vdm valid = vdm_and(s.valid, carom_swept_lanes_path(&s, reaches, &path));
        valid = vdm_and(valid, carom_lanes_are_valid(side, n));
        put_paths(&path, vdm_bits(s.rests), out->paths + n);
        left |= (uint64_t)(vdm_bits(valid) ^ ((1U << CAROM_PAIRS) - 1)) << n;
    }
    return n == end ? left : left | carom_swept_boxes_twin(side, motion, reach, n, end, out);
}
