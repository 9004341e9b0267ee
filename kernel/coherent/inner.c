/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/inner.h"

#include <math.h>

#include "kernel/check/assert.h"

/* The largest number of 16 bits. */
static const float LAST = 65535.0F;
/* About what numbers are rounded by at most, in steps. encode() finds the sides that are farther off after all. */
static const float ROUNDING = 0x1p-6F;
/* Least margin in steps: a side may lie a step farther in than that of the fat box. */
static const double STEPS_LEAST = 1.5;

/* The nine cache lines keep arrays of 2^n bodies apart in the sets of the L1 cache. */
static uint64_t stride_of(uint64_t count) {
    return count + CAROM_SIMD_PAD + UINT64_C(9) * CAROM_CACHE_LINE / sizeof(uint16_t);
}

uint64_t carom_coherent_inner_bytes(uint64_t count) {
    return 6 * stride_of(count) * sizeof(uint16_t);
}

/* An array of sides: 0 to 2 the lower ones of each axis, 3 to 5 the upper ones. */
static uint16_t *side_of(const carom_coherent *state, uint64_t side) {
    return (uint16_t *)carom_coherent_data(state, CAROM_COHERENT_INNER) + side * stride_of(state->count);
}

void carom_coherent_inner_start(carom_coherent *state, const carom_coherent_index *index) {
    CAROM_ASSERT(index->count == state->count);
    const carom_slot_box all = carom_coherent_index_all(index);
    carom_inner_boxes *inner = &state->inner;
    state->has_inner = true;
    for (uint64_t a = 0; a < 3; a++) {
        inner->lo[a] = side_of(state, a);
        inner->hi[a] = side_of(state, a + 3);
        inner->origin[a] = all.lo[a];
        inner->step[a] = (all.hi[a] - all.lo[a]) / LAST;
        const double least = STEPS_LEAST * (double)inner->step[a];
        state->has_inner = state->has_inner && isfinite(inner->step[a]) && least <= state->lookahead.margin;
    }
}

/* Numbers whose sides lie in lo .. hi, checked with the arithmetic that will read them. If there are none, the lower
 * side becomes the last and the upper one the first: then no box lies between them. */
static inline void encode(float lo, float hi, float origin, float step, float pace, uint16_t *low, uint16_t *high) {
    float from = (lo - origin) * pace + ROUNDING;
    float to = (hi - origin) * pace - ROUNDING;
    from = from > 0.0F ? from : 0.0F;
    from = from < LAST - 1.0F ? from : LAST - 1.0F;
    to = to > 0.0F ? to : 0.0F;
    to = to < LAST ? to : LAST;
    const int32_t first = (int32_t)from + 1;
    const int32_t last = (int32_t)to;
    const float first_side = origin + (float)first * step;
    const float last_side = origin + (float)last * step;
    const bool inside = (first_side >= lo) & (last_side <= hi);
    *low = (uint16_t)(inside ? first : (int32_t)LAST);
    *high = (uint16_t)(inside ? last : 0);
}

void carom_coherent_inner_fill(const carom_coherent *state, uint64_t begin, uint64_t end) {
    float *lo[3];
    float *hi[3];
    CAROM_ASSERT(begin <= end && end <= state->count);
    if (!state->has_inner) {
        return;
    }
    carom_coherent_fat_boxes(state, lo, hi);
    for (uint64_t a = 0; a < 3; a++) {
        const float origin = state->inner.origin[a];
        const float step = state->inner.step[a];
        /* Multiplied by, not divided: what that rounds differently, encode() checks. */
        const float pace = step > 0.0F ? 1.0F / step : 0.0F;
        const float *from = lo[a];
        const float *to = hi[a];
        uint16_t *low = side_of(state, a);
        uint16_t *high = side_of(state, a + 3);
        for (uint64_t n = begin; n < end; n++) {
            encode(from[n], to[n], origin, step, pace, &low[n], &high[n]);
        }
    }
}
