/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What floats can tell of pairs, CAROM_LANES at a time: simd/ref/quick_tmpl.c is the scalar form. */
#include <float.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/quick_lanes.h"
#include "simd/real.h"
#include "simd/vector_lanes.h"

#define carom_quick CAROM_KERNEL(quick)

enum { HALF = CAROM_LANES / 2 };

/* How the bodies of a vector lie in the caller's arrays. Gathering takes half of the time of most tests; pairs are
 * often listed as bodies are. */
typedef enum bodies_order {
    ANY_ORDER,
    ONE_BY_ONE,  /* those of i side by side, and those of k: pairs of two sets of bodies */
    EVERY_SECOND /* with one body between each two: both bodies of a pair side by side */
} bodies_order;

/* The bodies of a vector of pairs, and what else is known of them first. */
typedef struct bodies_of_pairs {
    uint32_t body[2][CAROM_LANES];
    uint32_t shape[2][CAROM_LANES];
    bodies_order order;
} bodies_of_pairs;

static inline bool are_all(vi zero) {
    return vfm_bits(vi_disjoint(zero, vi_set1(-1))) == (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
}

/* `bodies` is their number: what is read of every second one ends with the one after the last. */
static inline bodies_order order_of(vi body, uint32_t first, uint32_t bodies) {
    const vi steps = vi_load(carom_lane_numbers);
    const vi from_first = vi_sub(body, vi_set1((int32_t)first));
    if (are_all(vi_xor(from_first, steps))) {
        return ONE_BY_ONE;
    }
    const bool second = are_all(vi_xor(from_first, vi_add(steps, steps)));
    return second && bodies - first >= 2 * CAROM_LANES ? EVERY_SECOND : ANY_ORDER;
}

static inline __attribute__((always_inline)) vi load_words(const uint32_t *from, const uint32_t *body,
                                                           bodies_order order) {
    switch (order) {
    case ONE_BY_ONE:
        return vi_load(from + body[0]);
    case EVERY_SECOND:
        return vf_bits(
            vf_evens(vf_from_bits(vi_load(from + body[0])), vf_from_bits(vi_load(from + body[0] + CAROM_LANES))));
    default:
        return vi_gather(from, vi_load(body));
    }
}

#if CAROM_REAL_BITS == 32
static inline __attribute__((always_inline)) vf load(const float *from, const uint32_t *body, bodies_order order) {
    return vf_from_bits(load_words((const uint32_t *)(const void *)from, body, order));
}

static inline __attribute__((always_inline)) vf load_between(const float *from, const uint32_t *i, const uint32_t *k,
                                                             bodies_order order) {
    const vf way = vf_sub(load(from, k, order), load(from, i, order));
    return vf_min(vf_max(way, vf_set1(-FLT_MAX)), vf_set1(FLT_MAX));
}
#else
/* The lower or the upper half of a vector's lanes. */
static inline __attribute__((always_inline)) vd load_half(const double *from, const uint32_t *body,
                                                          bodies_order order) {
    switch (order) {
    case ONE_BY_ONE:
        return vd_load(from + body[0]);
    case EVERY_SECOND:
        return vd_evens(vd_load(from + body[0]), vd_load(from + body[0] + HALF));
    default:
        return vd_gather(from, body);
    }
}

static inline __attribute__((always_inline)) vf load(const double *from, const uint32_t *body, bodies_order order) {
    return vf_from_vd(load_half(from, body, order), load_half(from, body + HALF, order));
}

static inline __attribute__((always_inline)) vf load_between(const double *from, const uint32_t *i, const uint32_t *k,
                                                             bodies_order order) {
    const vd most = vd_set1((double)FLT_MAX);
    const vd low = vd_sub(load_half(from, k, order), load_half(from, i, order));
    const vd high = vd_sub(load_half(from, k + HALF, order), load_half(from, i + HALF, order));
    return vf_from_vd(vd_clamp(low, most), vd_clamp(high, most));
}
#endif

/* Fills one side. Returns whether all bodies and shapes are there, and of the kind that is expected. The last vector of
 * a call is filled up with copies of its first pair. */
static inline bool find_side(const carom_quick_in *in, int side, uint32_t n, bodies_of_pairs *of) {
    const uint32_t left = in->count - n;
    uint32_t spare[CAROM_LANES];
    const uint32_t all = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
    const vi body = vi_load(vi_fill_up(in->body[side] + n, left, spare));
    if (vfm_bits(vi_less(body, vi_set1((int32_t)in->bodies))) != all) {
        return false;
    }
    vi_store(of->body[side], body);
    const bodies_order order = order_of(body, in->body[side][n], in->bodies);
    const vi shape = in->shape != NULL ? load_words(in->shape, of->body[side], order) : vi_set1(0);
    if (vfm_bits(vi_less(shape, vi_set1((int32_t)in->shapes))) != all) {
        return false;
    }
    vi_store(of->shape[side], shape);
    of->order = side == 0 || of->order == order ? order : ANY_ORDER;
    return in->kind == NULL || are_all(vi_xor(vi_gather(in->kind, shape), vi_set1((int32_t)in->kinds[side])));
}

/* The lanes that are decided at all: rotations are valid, sizes within limits. */
static inline uint32_t find_usual(carom_quick_lanes *pair) {
    vf size = carom_quick_sizes(pair->between);
    vfm usual = vf_le(size, vf_set1(CAROM_QUICK_MOST));
    for (int s = 0; s < 2; s++) {
        const vf *q = pair->turn[s];
        const vf *row = pair->row[s];
        const vf square =
            vf_add(vf_add(vf_add(vf_mul(q[0], q[0]), vf_mul(q[1], q[1])), vf_mul(q[2], q[2])), vf_mul(q[3], q[3]));
        usual = vfm_and(usual, vfm_and(vf_le(vf_set1(CAROM_QUICK_TURN_LEAST), square),
                                       vf_le(square, vf_set1(CAROM_QUICK_TURN_MOST))));
        for (int a = 0; a < 3; a++) {
            size = vf_add(size, vf_add(vf_abs(row[CAROM_APART_CENTRE + a]), row[CAROM_APART_HALF + a]));
        }
    }
    pair->limit = vf_mul(vf_set1(CAROM_APART_ROUNDING), size);
    usual = vfm_and(usual, vfm_and(vf_le(vf_set1(CAROM_QUICK_LEAST), size), vf_le(size, vf_set1(CAROM_QUICK_MOST))));
    return vfm_bits(usual);
}

/* Brackets and their middles. */
#if CAROM_REAL_BITS == 32
static inline void store_bracket(vf lower, vf upper, uint32_t n, carom_quick_gaps *out) {
    const vf half = vf_set1(0.5F);
    const vf middle = vf_add(vf_mul(half, lower), vf_mul(half, upper));
    vf_store(out->distance + n, vf_min(vf_max(middle, lower), upper));
    vf_store(out->lower + n, lower);
    vf_store(out->upper + n, upper);
}
#else
static inline void store_half(vd lower, vd upper, uint32_t n, carom_quick_gaps *out) {
    const vd half = vd_set1(0.5);
    const vd middle = vd_add(vd_mul(half, lower), vd_mul(half, upper));
    vd_store(out->distance + n, vd_min(vd_max(middle, lower), upper));
    vd_store(out->lower + n, lower);
    vd_store(out->upper + n, upper);
}

static inline void store_bracket(vf lower, vf upper, uint32_t n, carom_quick_gaps *out) {
    store_half(vd_from_low(lower), vd_from_low(upper), n, out);
    store_half(vd_from_high(lower), vd_from_high(upper), n + HALF, out);
}
#endif

/* Returns the usual lanes. `order` is a constant, so that each has code of its own. */
static inline __attribute__((always_inline)) uint32_t load_in(const carom_quick_in *in, const bodies_of_pairs *of,
                                                              bodies_order order, carom_quick_lanes *pair) {
    for (int a = 0; a < 3; a++) {
        pair->between[a] = load_between(in->at[a], of->body[0], of->body[1], order);
    }
    for (int s = 0; s < 2; s++) {
        for (int a = 0; a < 4; a++) {
            pair->turn[s][a] =
                in->turn[0] != NULL ? load(in->turn[a], of->body[s], order) : vf_set1(a == 3 ? 1.0F : 0.0F);
        }
        vf_rows_of_two(in->box, of->shape[s], of->shape[s] + HALF, pair->row[s]);
    }
    return find_usual(pair);
}

static uint32_t load_any(const carom_quick_in *in, const bodies_of_pairs *of, carom_quick_lanes *pair) {
    return load_in(in, of, ANY_ORDER, pair);
}

static uint32_t load_one_by_one(const carom_quick_in *in, const bodies_of_pairs *of, carom_quick_lanes *pair) {
    return load_in(in, of, ONE_BY_ONE, pair);
}

static uint32_t load_every_second(const carom_quick_in *in, const bodies_of_pairs *of, carom_quick_lanes *pair) {
    return load_in(in, of, EVERY_SECOND, pair);
}

static inline uint32_t load_pairs(const carom_quick_in *in, const bodies_of_pairs *of, carom_quick_lanes *pair) {
    switch (of->order) {
    case ONE_BY_ONE:
        return load_one_by_one(in, of, pair);
    case EVERY_SECOND:
        return load_every_second(in, of, pair);
    default:
        return load_any(in, of, pair);
    }
}

static inline void answer(const carom_quick_in *in, uint32_t n, uint32_t usual, const carom_quick_lanes *pair,
                          const carom_quick_bracket *bracket, carom_quick_gaps *out) {
    const vf lower = vf_sub(bracket->lower, pair->limit);
    const vf upper = vf_add(bracket->upper, pair->limit);
    const vfm is_apart = vf_lt(vf_set1(in->above), lower);
    const uint32_t apart = vfm_bits(is_apart) & usual;
    const uint32_t touching = vfm_bits(vf_le(upper, vf_set1(in->below))) & usual & ~apart;
    out->apart |= (uint64_t)apart << n;
    out->touching |= (uint64_t)touching << n;
    out->open |= (uint64_t)(usual & ~(apart | touching)) << n;
    store_bracket(vf_select(is_apart, lower, vf_sub(bracket->within, pair->limit)),
                  vf_select(is_apart, vf_add(bracket->far, pair->limit), upper), n, out);
}

/* What a search begins with. */
static inline void store_seek(const carom_quick_lanes *pair, uint32_t n, carom_seek_pairs *seek) {
    for (int e = 0; e < 9; e++) {
        vf_store(seek->turn[e] + n, pair->frame[e]);
    }
    for (int a = 0; a < 3; a++) {
        vf_store(seek->between[a] + n, pair->way[a]);
    }
}

typedef carom_quick_bracket quick_test(carom_quick_lanes *pair);

/* Inlined for each test: that is then part of the loop. What searches begin with goes to *seek, unless it is NULL. */
static inline __attribute__((always_inline)) void run(const carom_quick_in *in, quick_test *test,
                                                      carom_seek_pairs *seek, carom_quick_gaps *out) {
    for (uint32_t n = 0; n < in->count; n += CAROM_LANES) {
        bodies_of_pairs of;
        carom_quick_lanes pair;
        if (!find_side(in, 0, n, &of) || !find_side(in, 1, n, &of)) {
            out->apart = 0;
            out->touching = 0;
            out->open = 0;
            out->others = true;
            return;
        }
        const uint32_t left = in->count - n;
        const uint32_t there = left < CAROM_LANES ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
        const uint32_t usual = load_pairs(in, &of, &pair) & there;
        const carom_quick_bracket bracket = test(&pair);
        answer(in, n, usual, &pair, &bracket, out);
        if (seek != NULL) {
            store_seek(&pair, n, seek);
        }
    }
}

void carom_quick(const carom_quick_in *in, carom_quick_gaps *out) {
    CAROM_ASSERT(in->count <= CAROM_BLOCK_PAIRS);
    out->apart = 0;
    out->touching = 0;
    out->open = 0;
    out->others = false;
    switch (in->test) {
    case CAROM_QUICK_SOLID:
        run(in, carom_quick_solid, NULL, out);
        break;
    case CAROM_QUICK_SEGMENTS:
        run(in, carom_quick_segments, NULL, out);
        break;
    case CAROM_QUICK_BOXES:
        run(in, carom_quick_boxes, NULL, out);
        break;
    case CAROM_QUICK_HULLS:
        run(in, carom_quick_hulls, in->seek, out);
        break;
    }
}
