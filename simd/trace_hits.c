/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All candidates are tested, whether their bits are set or not, for the same reason as in simd/filter_hits.c. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_trace_hits CAROM_KERNEL_OF(trace_hits)

/* Lanes in which both traces have the bits. */
static inline uint32_t both(vi low, vi low_bit, vi high, vi high_bit) {
    return ~(vfm_bits(vi_disjoint(low, low_bit)) | vfm_bits(vi_disjoint(high, high_bit)));
}

/* Bits of those of CAROM_LANES candidates from n on of which one trace has the bits of the other body. */
static inline uint32_t traced(const carom_trace_columns *of, const vi trace[2], const vi bit[2], uint32_t n) {
    return both(vi_load(of->trace[0] + n), bit[0], vi_load(of->trace[1] + n), bit[1]) |
           both(trace[0], vi_load(of->bit[0] + n), trace[1], vi_load(of->bit[1] + n));
}

uint32_t carom_trace_hits(const carom_trace_columns *columns, uint32_t own, uint32_t count, const uint16_t *bits,
                          uint32_t *number) {
    const carom_trace_columns of = *columns;
    const uint32_t lanes = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
    vi trace[2];
    vi bit[2];
    uint32_t at[CAROM_LANES];
    uint32_t found = 0;
    CAROM_ASSERT(own < count);
    for (int h = 0; h < 2; h++) {
        trace[h] = vi_set1((int32_t)of.trace[h][own]);
        bit[h] = vi_set1((int32_t)of.bit[h][own]);
    }
    for (uint32_t n = 0; n < CAROM_LANES; n++) {
        at[n] = n;
    }
    vi next = vi_load(at);
    for (uint32_t c = 0; c < count; c += 16) {
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            const uint32_t kept = traced(&of, trace, bit, c + p) & ((uint32_t)bits[c / 16] >> p) & lanes;
            found += vi_pack_store(number + found, kept, next);
            next = vi_add(next, vi_set1(CAROM_LANES));
        }
    }
    return found;
}
