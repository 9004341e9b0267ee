/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs approach: slots of pairs come in; those of the pairs with p.v < 0 at the start of the step go out, in
 * order. Levels 2 to 4 of simd/approach_touches.h, for the sign of B alone. */
#include "simd/approach_touches.h"
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pair_fields.h"

#define carom_approaching CAROM_KERNEL(approaching)
#define carom_approaching_twin CAROM_TWIN(approaching)

/* Level 4: the bits of those of the `open` lanes that approach, one lane after another. */
static __attribute__((noinline, cold)) uint32_t decide_exactly(uint32_t open, const vd i[7], const vd k[7]) {
    double fields[2][7][APPROACH_LANES];
    uint32_t approaching = 0;
    for (int n = 0; n < 7; n++) {
        vd_store(fields[0][n], i[n]);
        vd_store(fields[1][n], k[n]);
    }
    for (; open != 0; open &= open - 1) {
        const int l = __builtin_ctz(open);
        double one[2][7];
        for (int n = 0; n < 7; n++) {
            one[0][n] = fields[0][n][l];
            one[1][n] = fields[1][n][l];
        }
        approaching |= (uint32_t)carom_exact_approaches(one[0], one[1]) << l;
    }
    return approaching;
}

/* Lanes in which neither body moves: v is 0, whatever p is rounded to. */
static inline vdm at_rest(const vd i[7], const vd k[7]) {
    const vd zero = vd_set1(0.0);
    vd moved = zero;
    for (int a = 0; a < 3; a++) {
        moved = vd_max(moved, vd_abs(vd_sub(i[4 + a], i[a])));
        moved = vd_max(moved, vd_abs(vd_sub(k[4 + a], k[a])));
    }
    return vd_le(moved, zero);
}

/* Levels 3 and 4, for the lanes that level 2 left open. Out of line: scenes in motion seldom need it. */
static __attribute__((noinline)) uint32_t decide_open(const approach_lanes *x, const vd i[7], const vd k[7],
                                                      uint32_t open) {
    const refined b = refine_dot(x->p, x->v);
    vdm certain;
    const vdm falling = vd_lt(refine_value(&b, &certain), vd_set1(0.0));
    certain = vdm_and(vdm_and(certain, approach_in_range(x)),
                      vdm_and(refine_exact_start(x, i, k), refine_exact_motion(x, i, k)));
    const uint32_t rest = vdm_bits(at_rest(i, k));
    const uint32_t left = open & ~vdm_bits(certain) & ~rest;
    const uint32_t decided = open & ~left & ~rest & vdm_bits(falling);
    return left == 0 ? decided : decided | decide_exactly(left, i, k);
}

/* Bits of the lanes that approach. */
static inline uint32_t decide(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k) {
    vd i[8];
    vd k[8];
    pair_fields_load(records, slot_i, slot_k, i, k);
    const approach_lanes x = approach_of(i, k);
    const vd margin = vd_mul(vd_add(x.start, x.a), vd_set1(CAROM_MARGIN_ANY));
    const uint32_t falling = vdm_bits(vd_lt(x.b, vd_set1(0.0)));
    const uint32_t open = APPROACH_ALL & ~vdm_bits(vdm_and(vd_lt(margin, vd_abs(x.b)), approach_in_range(&x)));
    return __builtin_expect(open != 0, 0) ? (falling & ~open) | decide_open(&x, i, k, open) : falling;
}

uint32_t carom_approaching(const carom_record *records, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                           uint32_t *out_i, uint32_t *out_k) {
    CAROM_ASSERT(carom_check_named(records, slot_i, 0, count) && carom_check_named(records, slot_k, 0, count));
    CAROM_ASSERT(carom_check_packs_left(out_i, slot_i, count) && carom_check_packs_left(out_k, slot_k, count));
    const uint32_t whole = count - count % APPROACH_LANES;
    uint32_t kept = 0;
    for (uint32_t n = 0; n < whole; n += APPROACH_LANES) {
        const uint32_t bits = decide(records, slot_i + n, slot_k + n);
        vd_pack_slots(out_i + kept, bits, slot_i + n);
        kept += vd_pack_slots(out_k + kept, bits, slot_k + n);
    }
    return kept +
           carom_approaching_twin(records, count - whole, slot_i + whole, slot_k + whole, out_i + kept, out_k + kept);
}
