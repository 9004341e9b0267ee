/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All candidates are tested, whether their bits are set or not: no branch depends on who passes. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_filter_hits CAROM_KERNEL_OF(filter_hits)

typedef struct filter_body {
    vi category;
    vi mask;
    vi group;
    vi apart;
} filter_body;

static inline vi value_of(const uint32_t *column, uint32_t own) {
    return vi_set1(column != NULL ? (int32_t)column[own] : 0);
}

/* Bits of those of CAROM_LANES candidates from n on that do not pass. */
static inline uint32_t refused(const carom_filter_columns *of, const filter_body *body, bool grouped, uint32_t n) {
    uint32_t bits = 0;
    if (of->category != NULL) {
        bits |= vfm_bits(vi_disjoint(vi_load(of->category + n), body->mask)) |
                vfm_bits(vi_disjoint(vi_load(of->mask + n), body->category));
    }
    if (grouped) {
        const vi other = vi_xor(vi_load(of->group + n), body->group);
        bits |= vfm_bits(vi_disjoint(other, other));
    }
    if (of->apart != NULL) {
        bits |= ~vfm_bits(vi_disjoint(vi_load(of->apart + n), body->apart));
    }
    return bits;
}

uint32_t carom_filter_hits(const carom_filter_columns *columns, uint32_t own, uint32_t count, uint16_t *bits) {
    const carom_filter_columns of = *columns;
    const filter_body body = {value_of(of.category, own), value_of(of.mask, own), value_of(of.group, own),
                              value_of(of.apart, own)};
    const bool grouped = of.group != NULL && of.group[own] != 0;
    const uint32_t lanes = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
    uint32_t left = 0;
    CAROM_ASSERT(own < count && (of.category == NULL) == (of.mask == NULL));
    for (uint32_t c = 0; c < count; c += 16) {
        uint32_t word = bits[c / 16];
        for (uint32_t p = 0; p < 16; p += CAROM_LANES) {
            word &= ~((refused(&of, &body, grouped, c + p) & lanes) << p);
        }
        bits[c / 16] = (uint16_t)word;
        left += (uint32_t)__builtin_popcount(word);
    }
    return left;
}
