/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Answers of a block of pairs as rows in the caller's precision, in vectors: each holds one value of many rows, and a
 * transposition makes rows of them. Pairs whose bracket is infinite are left to the twin. */
#include <float.h>
#include <stddef.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pose_lanes.h"
#include "simd/round_lanes.h"

#define carom_gap_rows_write CAROM_KERNEL(gap_rows)
#define carom_gap_rows_write_twin CAROM_TWIN(gap_rows)

/* The numbers of a row. They lie side by side. */
enum { DISTANCE, LOWER, UPPER, NORMAL, POINT_I = NORMAL + 3, POINT_K = POINT_I + 3, NUMBERS = POINT_K + 3 };

_Static_assert(sizeof(carom_gap_row) == offsetof(carom_gap_row, distance) + NUMBERS * sizeof(carom_real),
               "numbers end a row");

/* Pairs of one vector of doubles. */
enum { PAIRS = CAROM_LANES / 2 };

/* Their rows: the state and `capped` as numbers, and the numbers. Bounds are rounded; the rest is rounded to nearest
 * when it is stored. */
typedef struct row_lanes {
    vd state;
    vd capped;
    vd number[NUMBERS];
} row_lanes;

static inline void round_points(carom_pair_block *block, uint32_t n, vdm shown, row_lanes *lanes) {
    const vd zero = vd_set1(0.0);
    for (int d = 0; d < 3; d++) {
        const vd origin = vd_load(block->origin[d] + n);
        const vd point_i = vd_add(vd_load(block->point_i[d] + n), origin);
        const vd point_k = vd_add(vd_load(block->point_k[d] + n), origin);
        const vd normal = vd_load(block->normal[d] + n);
        lanes->number[NORMAL + d] = vd_select(shown, carom_round_lanes_clamp(normal), zero);
        lanes->number[POINT_I + d] = vd_select(shown, carom_round_lanes_clamp(point_i), zero);
        lanes->number[POINT_K + d] = vd_select(shown, carom_round_lanes_clamp(point_k), zero);
    }
}

/* Rounds a vector of pairs and adds their states to the sets; returns those whose bracket is infinite. */
static inline uint32_t round_lanes(carom_pair_block *block, uint32_t n, uint32_t live, const carom_gap_limits *limits,
                                   carom_gap_rows *sets, row_lanes *lanes) {
    const vd zero = vd_set1(0.0);
    const vd one = vd_set1(1.0);
    const vd margin = vd_set1(limits->margin);
    const vd lower = vd_load(block->lower + n);
    const vd upper = vd_load(block->upper + n);
    const vd middle = vd_add(vd_mul(vd_set1(0.5), lower), vd_mul(vd_set1(0.5), upper));
    const vd distance = vd_min(vd_max(middle, lower), upper);
    const vd width = vd_mul(vd_set1(limits->tolerance), vd_max(vd_load(block->reach + n), vd_abs(distance)));
    const vdm finite = vdm_and(vd_le(vd_abs(lower), vd_set1(DBL_MAX)), vd_le(vd_abs(upper), vd_set1(DBL_MAX)));
    const vdm apart = vd_lt(margin, lower);
    const vdm touching = vdm_and(vd_le(lower, margin), vd_le(upper, margin));
    const vd shown = vd_select(apart, vd_set1(limits->apart ? 1.0 : 0.0), vd_set1(limits->touching ? 1.0 : 0.0));
    const vd precise = vd_select(vdm_or(apart, touching), shown, one);
    const uint32_t usual = vdm_bits(finite) & live;
    sets->apart |= (uint64_t)(vdm_bits(apart) & usual) << n;
    sets->touching |= (uint64_t)(vdm_bits(touching) & usual) << n;
    lanes->state = vd_select(apart, vd_set1(CAROM_GAP_SEPARATED),
                             vd_select(touching, vd_set1(CAROM_GAP_TOUCHING), vd_set1(CAROM_GAP_CLOSE)));
    lanes->capped = vd_select(vd_lt(width, vd_sub(upper, lower)), precise, zero);
    lanes->number[DISTANCE] = carom_round_lanes_clamp(distance);
    lanes->number[LOWER] = carom_round_lanes_down(lower);
    lanes->number[UPPER] = carom_round_lanes_up(upper);
    if (limits->apart || limits->touching) {
        round_points(block, n, vd_lt(zero, shown), lanes);
    } else {
        for (int d = NORMAL; d < NUMBERS; d++) {
            lanes->number[d] = zero;
        }
    }
    return live & ~usual;
}

#if CAROM_REAL_BITS == 32

/* A row as words. Those after the first are sixteen, so that whole transpositions make them. */
enum {
    VECTORS = 2,
    FIRST_NUMBER = offsetof(carom_gap_row, distance) / sizeof(uint32_t),
    WORDS = FIRST_NUMBER + NUMBERS
};

_Static_assert(WORDS == 17 && offsetof(carom_gap_row, state) == 0 && offsetof(carom_gap_row, capped) == 4 &&
                   offsetof(carom_gap_row, iterations) == 8,
               "words of a row");

static inline void store_rows(const carom_pair_block *block, uint32_t n, const row_lanes from[VECTORS],
                              carom_gap_row *const *row) {
    uint32_t state[CAROM_LANES];
    vi word[WORDS];
    word[0] = vi_truncate(vf_from_vd(from[0].state, from[1].state));
    word[1] = vi_truncate(vf_from_vd(from[0].capped, from[1].capped));
    word[2] = vi_load(block->iterations + n);
    for (int w = 3; w < FIRST_NUMBER; w++) {
        word[w] = vi_set1(0);
    }
    for (int d = 0; d < NUMBERS; d++) {
        word[FIRST_NUMBER + d] = vf_bits(vf_from_vd(from[0].number[d], from[1].number[d]));
    }
    vi_store(state, word[0]);
    for (int begin = 1; begin < WORDS; begin += CAROM_LANES) {
        vi_transpose(word + begin);
        for (int r = 0; r < CAROM_LANES; r++) {
            vi_store((uint32_t *)(void *)row[r] + begin, word[begin + r]);
        }
    }
    for (int r = 0; r < CAROM_LANES; r++) {
        memcpy(row[r], &state[r], sizeof state[r]);
    }
}

#else

/* A row as values of eight bytes. Eight of them are transposed at once, and then the last eight. */
enum {
    VECTORS = 1,
    FIRST_NUMBER = offsetof(carom_gap_row, distance) / sizeof(double),
    VALUES = FIRST_NUMBER + NUMBERS
};

_Static_assert(VALUES == 15 && offsetof(carom_gap_row, state) == 0 && offsetof(carom_gap_row, capped) == 4,
               "values of a row");

/* state + 2^32 capped, as an integer of 64 bits: adding 2^52 puts it into the low bits of the double. */
static inline vd head_of(const row_lanes *from) {
    const vd both = vd_add(from->state, vd_mul(from->capped, vd_set1(0x1p32)));
    return vd_mask(vd_add(both, vd_set1(0x1p52)), (UINT64_C(1) << 52) - 1);
}

static inline void store_rows(const carom_pair_block *block, uint32_t n, const row_lanes *from,
                              carom_gap_row *const *row) {
    vd value[VALUES];
    double *to[PAIRS];
    value[0] = head_of(from);
    value[1] = vd_set1(0.0);
    value[2] = vd_set1(0.0);
    for (int d = 0; d < NUMBERS; d++) {
        value[FIRST_NUMBER + d] = from->number[d];
    }
    for (int begin = 0; begin <= VALUES - 8; begin += VALUES - 8) {
        for (int r = 0; r < PAIRS; r++) {
            to[r] = (double *)(void *)row[r] + begin;
        }
        vd_store_rows(to, value + begin);
    }
    for (int r = 0; r < PAIRS; r++) {
        row[r]->iterations = block->iterations[n + (uint32_t)r];
    }
}

#endif

void carom_gap_rows_write(carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_limits *limits,
                          carom_gap_rows *rows) {
    CAROM_ASSERT(begin <= end && end <= CAROM_BLOCK_PAIRS);
    for (uint32_t n = begin; n < end; n += VECTORS * PAIRS) {
        row_lanes lanes[VECTORS];
        uint64_t odd = 0;
        for (uint32_t v = 0; v < VECTORS; v++) {
            const uint32_t left = end - n > v * PAIRS ? end - n - v * PAIRS : 0;
            const uint32_t live = (1U << (left < PAIRS ? left : PAIRS)) - 1;
            const uint32_t at = left > 0 ? n + v * PAIRS : n;
            odd |= (uint64_t)round_lanes(block, at, live, limits, rows, &lanes[v]) << (v * PAIRS);
        }
        if (limits->rows) {
            store_rows(block, n, lanes, rows->row + n);
        }
        for (; odd != 0; odd &= odd - 1) {
            const uint32_t at = n + (uint32_t)__builtin_ctzll(odd);
            carom_gap_rows_write_twin(block, at, at + 1, limits, rows);
        }
    }
}
