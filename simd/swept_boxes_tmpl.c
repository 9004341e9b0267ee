/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes and paths of moving shapes, in vectors. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/round_lanes.h"
#include "simd/swept_lanes.h"

#define carom_swept_boxes CAROM_KERNEL(swept_boxes)
#define carom_swept_boxes_twin CAROM_TWIN(swept_boxes)

/* A function of its own for shapes of any kind: twice within another one it takes 11 KB of the stack. */
static __attribute__((noinline)) void set_any_extents(const carom_block_side *side, uint32_t n, carom_kind_lanes kinds,
                                                      vd turn[3][3], carom_extent_lanes *extents) {
    carom_extent_lanes_set(side, n, kinds, turn, extents);
}

static inline __attribute__((always_inline)) void set_extents(const carom_block_side *side, uint32_t n,
                                                              carom_kind_lanes kinds, bool any, vd turn[3][3],
                                                              carom_extent_lanes *extents) {
    if (any) {
        set_any_extents(side, n, kinds, turn, extents);
    } else {
        carom_extent_lanes_set(side, n, kinds, turn, extents);
    }
}

static inline __attribute__((always_inline)) void set_sides(const carom_block_side *side, const carom_swept_lanes *s,
                                                            vd reach, uint32_t n, bool any,
                                                            const carom_swept_out *out) {
    vd start[3][3];
    vd end[3][3];
    carom_extent_lanes first;
    carom_extent_lanes last;
    carom_lanes_turn(s->turn, start);
    carom_lanes_turn(s->end_turn, end);
    set_extents(side, n, s->kinds, any, start, &first);
    set_extents(side, n, s->kinds, any, end, &last);
    const vd around = carom_swept_lanes_around(s, side, n, start);
    const vd path_error =
        vd_add(vd_mul(vd_set1(CAROM_SWEPT_ERROR), s->core_reach), vd_mul(vd_set1(CAROM_SWEPT_SHIFT), s->sum));
    for (int d = 0; d < 3; d++) {
        const vd at = s->at[d];
        const vd to = vd_add(at, s->move[d]);
        const vd size = vd_add(reach, vd_add(vd_abs(at), vd_abs(s->move[d])));
        const vd error = vd_add(vd_mul(vd_set1(CAROM_POSE_BOX_ERROR), size), path_error);
        const vd bend = vd_mul(vd_mul(vd_set1(0.125), s->ratio), vd_mul(around, carom_swept_lanes_across(s, d)));
        const vd more = vd_add(error, bend);
        const vd low = vd_min(vd_sub(at, first.against[d]), vd_sub(to, last.against[d]));
        const vd high = vd_max(vd_add(at, first.along[d]), vd_add(to, last.along[d]));
        carom_round_lanes_low(out->corner[d] + out->first + n, vd_sub(low, more));
        carom_round_lanes_high(out->corner[d + 3] + out->first + n, vd_add(high, more));
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

/* Returns the lanes that are left. */
static inline __attribute__((always_inline)) uint32_t sweep_lanes(carom_block_side *side,
                                                                  const carom_block_motion *motion, const double *reach,
                                                                  uint32_t n, carom_kind_lanes kinds, bool any,
                                                                  const carom_swept_out *out) {
    const vd reaches = vd_load(reach + n);
    carom_swept_lanes s = {.kinds = kinds};
    carom_path_lanes path;
    carom_swept_lanes_take(side, motion, reaches, n, &s);
    set_sides(side, &s, reaches, n, any, out);
    const vdm valid = vdm_and(s.valid, carom_swept_lanes_path(&s, reaches, &path));
    put_paths(&path, vdm_bits(s.rests), out->paths + n);
    return (vdm_bits(vdm_and(valid, carom_lanes_are_valid(side, n))) ^ ((1U << CAROM_PAIRS) - 1)) |
           carom_kind_lanes_other(kinds);
}

/* Apart, because most scenes have none of these. */
static __attribute__((noinline)) uint32_t sweep_any(carom_block_side *side, const carom_block_motion *motion,
                                                    const double *reach, uint32_t n, carom_kind_lanes kinds,
                                                    const carom_swept_out *out) {
    return sweep_lanes(side, motion, reach, n, kinds, true, out);
}

uint64_t carom_swept_boxes(carom_block_side *side, const carom_block_motion *motion, const double *reach,
                           uint32_t begin, uint32_t end, const carom_swept_out *out) {
    static const carom_kind_lanes cornered = {0};
    uint64_t left = 0;
    uint32_t n = begin;
    for (; n + CAROM_PAIRS <= end; n += CAROM_PAIRS) {
        const carom_kind_lanes kinds = carom_kind_lanes_of(side, n);
        left |= (uint64_t)(carom_kind_lanes_cornered(kinds) ? sweep_lanes(side, motion, reach, n, cornered, false, out)
                                                            : sweep_any(side, motion, reach, n, kinds, out))
                << n;
    }
    return n == end ? left : left | carom_swept_boxes_twin(side, motion, reach, n, end, out);
}
