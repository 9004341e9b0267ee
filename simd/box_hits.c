/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A cell's bodies, two at a time, beside CAROM_LANES candidates. All candidates are tested; the bits of those up to the
 * body itself are taken away. */
#include <float.h>
#include <string.h>

#include "simd/box_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/hit_lanes.h"

#define carom_box_hits CAROM_KERNEL_OF(box_hits)

/* One body in all lanes, or CAROM_LANES candidates. */
typedef struct body_lanes {
    box_sides box;
    vf twice[3]; /* the middle */
    vf inner;
    vf outer;
} body_lanes;

static inline void set_twice(body_lanes *body) {
    for (int a = 0; a < 3; a++) {
        body->twice[a] = vf_add(body->box.lo[a], body->box.hi[a]);
    }
}

static inline body_lanes broadcast(const carom_box_columns *of, uint32_t n, bool decides) {
    body_lanes body = {.box = BOX_SIDES_OF_ONE(of->lo, of->hi, n)};
    if (decides) {
        body.inner = vf_set1(of->inner[n]);
        body.outer = vf_set1(of->outer[n]);
        set_twice(&body);
    }
    return body;
}

static inline body_lanes load(const carom_box_columns *of, uint32_t n, bool decides) {
    body_lanes body = {.box = BOX_SIDES_LOAD(of->lo, of->hi, n)};
    if (decides) {
        body.inner = vf_load(of->inner + n);
        body.outer = vf_load(of->outer + n);
        set_twice(&body);
    }
    return body;
}

/* Candidates that certainly touch the body if their boxes do, and those and others that may. A square that is NaN
 * becomes FLT_MAX: the square of the outer lengths is infinite then. */
static inline void decide(const body_lanes *own, const body_lanes *others, uint32_t *touch, uint32_t *within) {
    const vf inner = vf_add(others->inner, own->inner);
    const vf outer = vf_add(others->outer, own->outer);
    vf square = vf_set1(0.0F);
    for (int a = 0; a < 3; a++) {
        const vf by = vf_sub(others->twice[a], own->twice[a]);
        square = a == 0 ? vf_mul(by, by) : vf_add(square, vf_mul(by, by));
    }
    *touch = vfm_bits(vf_lt(square, vf_mul(inner, inner)));
    *within = vfm_bits(vf_le(vf_min(square, vf_set1(FLT_MAX)), vf_mul(outer, outer)));
}

/* Of the candidates of word w those after the body. */
static inline uint32_t later_bits(uint32_t own, uint32_t w) {
    const uint32_t after = UINT16_MAX & ~((2U << own % 16) - 1);
    return w > own / 16 ? UINT16_MAX : w == own / 16 ? after : 0;
}

/* Two bodies, and where their bits go. */
typedef struct body_rows {
    uint32_t own[HIT_BODIES];
    uint16_t *bits[HIT_BODIES];
    uint16_t *close[HIT_BODIES];
} body_rows;

/* Tests two bodies; sets how many pairs of boxes each has. */
static inline __attribute__((always_inline)) void test_two(const carom_box_hits_in *in, const body_rows *rows,
                                                           uint32_t pairs[HIT_BODIES], bool decides) {
    const body_lanes body[HIT_BODIES] = {broadcast(&in->of, rows->own[0], decides),
                                         broadcast(&in->of, rows->own[1], decides)};
    pairs[0] = 0;
    pairs[1] = 0;
    for (uint32_t w = rows->own[0] / 16; w < carom_hits_words(in->count); w++) {
        uint32_t boxes[HIT_BODIES] = {0, 0};
        uint32_t touch[HIT_BODIES] = {0, 0};
        uint32_t within[HIT_BODIES] = {0, 0};
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const body_lanes others = load(&in->of, 16 * w + p, decides);
            for (int b = 0; b < HIT_BODIES; b++) {
                boxes[b] |= vfm_bits(box_overlaps(&body[b].box, &others.box)) << p;
                if (decides) {
                    uint32_t some[2];
                    decide(&body[b], &others, &some[0], &some[1]);
                    touch[b] |= some[0] << p;
                    within[b] |= some[1] << p;
                }
            }
        }
        for (int b = 0; b < HIT_BODIES; b++) {
            const uint32_t kept = boxes[b] & later_bits(rows->own[b], w);
            const uint32_t bits = decides ? kept & touch[b] : kept;
            pairs[b] += (uint32_t)__builtin_popcount(kept);
            rows->bits[b][w] = (uint16_t)bits;
            if (decides) { /* those that touch are within */
                rows->close[b][w] = (uint16_t)((kept & within[b]) ^ bits);
            }
        }
    }
}

/* Of an odd number of bodies the last one is tested beside itself, and counted once. */
static inline __attribute__((always_inline)) uint64_t test_all(const carom_box_hits_in *in, uint16_t *bits,
                                                               uint16_t *close, bool decides) {
    const uint32_t words = carom_hits_words(in->count);
    uint64_t all = 0;
    for (uint32_t own = in->begin; own < in->end; own += HIT_BODIES) {
        const uint32_t more = own + 1 < in->end ? 1 : 0;
        const size_t at[HIT_BODIES] = {(size_t)(own - in->begin) * words, (size_t)(own - in->begin + more) * words};
        const body_rows rows = {{own, own + more}, {bits + at[0], bits + at[1]}, {close + at[0], close + at[1]}};
        uint32_t pairs[HIT_BODIES];
        for (int b = 0; b < HIT_BODIES && own >= 16; b++) { /* words before its own have no later candidates */
            memset(rows.bits[b], 0, own / 16 * sizeof *bits);
            memset(rows.close[b], 0, own / 16 * sizeof *close);
        }
        test_two(in, &rows, pairs, decides);
        all += pairs[0] + (more > 0 ? pairs[1] : 0);
    }
    return all;
}

uint64_t carom_box_hits(const carom_box_hits_in *in, uint16_t *bits, uint16_t *close, uint32_t *length,
                        uint32_t *near) {
    CAROM_ASSERT(carom_check_box_hits(in));
    const uint32_t words = carom_hits_words(in->count);
    const uint64_t pairs = in->decides ? test_all(in, bits, close, true) : test_all(in, bits, bits, false);
    for (uint32_t n = 0; n < in->end - in->begin; n++) {
        length[n] = hit_count(bits + (size_t)n * words, words);
        if (in->decides) {
            near[n] = hit_count(close + (size_t)n * words, words);
        }
    }
    return pairs;
}
