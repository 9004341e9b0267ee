/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs touch in the step: slots of pairs come in; those of the touching pairs go out, in order. The decision
 * (simd/approach_touches.h) needs no division and no root. The first level runs over a chunk of pairs. The pairs that
 * it leaves open are collected, and the further levels decide them together, in full vectors: where bodies touch to the
 * last digit, as in lattices, they are many, and few lanes of each vector would be in use. */
#include "simd/approach_float.h"
#include "simd/approach_touches.h"
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/pair_fields.h"

#define carom_touch CAROM_KERNEL(touch)
#define carom_touch_twin CAROM_TWIN(touch)

/* Pairs that are decided before any of them is packed: few enough that their slots stay in the first-level cache, many
 * enough to fill vectors with open pairs. A multiple of all vector lengths. */
enum { CHUNK = 512 };

#if CAROM_REAL_BITS == 32

enum { LANES = CAROM_LANES };

/* The first level: level 1 for f32, level 2 for f64. Returns the bits of LANES pairs that touch, and in
 * *open the bits of those that it leaves open. */
static inline uint32_t decide(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k,
                              uint32_t *open) {
    vf i[7];
    vf k[7];
    uint32_t certain;
    vr_rows(records, slot_i, i);
    vr_rows(records, slot_k, k);
    const uint32_t touching = approach_float_decide(i, k, &certain);
    *open = ~certain & (uint32_t)((UINT64_C(1) << LANES) - 1);
    return touching;
}

/* Left-packs the slots of LANES pairs whose bits are set; returns how many. */
static inline uint32_t pack(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    return vi_pack_store(out, bits, vi_load(slot));
}

#else

enum { LANES = APPROACH_LANES };

static inline uint32_t decide(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k,
                              uint32_t *open) {
    vd i[8];
    vd k[8];
    vdm certain;
    pair_fields_load(records, slot_i, slot_k, i, k);
    const approach_lanes x = approach_of(i, k);
    const uint32_t touching = vdm_bits(approach_decide(&x, &certain));
    *open = ~vdm_bits(certain) & APPROACH_ALL;
    return touching & ~*open;
}

static inline uint32_t pack(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    return vd_pack_slots(out, bits, slot);
}

#endif

/* The further levels: decides the `count` pairs whose numbers are in `open`, and sets the bits of those that touch. The
 * list has room for APPROACH_LANES more: the last pair is repeated there, so that the last vector is full. Out of line:
 * seldom needed. */
static __attribute__((noinline)) void decide_open(const carom_record *records, const uint32_t *slot_i,
                                                  const uint32_t *slot_k, uint32_t *open, uint32_t count,
                                                  uint32_t *touching) {
    CAROM_ASSERT(count >= 1 && count <= CHUNK && carom_check_slots(open, 0, count, CHUNK));
    for (uint32_t l = 0; l < APPROACH_LANES; l++) {
        open[count + l] = open[count - 1];
    }
    for (uint32_t n = 0; n < count; n += APPROACH_LANES) {
        uint32_t slots[2][APPROACH_LANES];
        vd i[8];
        vd k[8];
        for (uint32_t l = 0; l < APPROACH_LANES; l++) {
            slots[0][l] = slot_i[open[n + l]];
            slots[1][l] = slot_k[open[n + l]];
        }
        pair_fields_load(records, slots[0], slots[1], i, k);
        const approach_lanes x = approach_of(i, k);
        for (uint32_t bits = approach_touches(&x, i, k, APPROACH_ALL); bits != 0; bits &= bits - 1) {
            const uint32_t pair = open[n + (uint32_t)__builtin_ctz(bits)];
            touching[pair / LANES] |= UINT32_C(1) << pair % LANES;
        }
    }
}

/* Bits of `count` pairs that touch, LANES in each element of `touching`. count is a multiple of LANES. */
static inline void decide_chunk(const carom_record *records, uint32_t count, const uint32_t *slot_i,
                                const uint32_t *slot_k, uint32_t *touching) {
    CAROM_ASSERT(count <= CHUNK && count % LANES == 0);
    uint32_t open[CHUNK + CAROM_LANES];
    uint32_t left = 0;
    for (uint32_t n = 0; n < count; n += LANES) {
        uint32_t here;
        touching[n / LANES] = decide(records, slot_i + n, slot_k + n, &here);
        for (; __builtin_expect(here != 0, 0); here &= here - 1) {
            open[left++] = n + (uint32_t)__builtin_ctz(here);
        }
    }
    if (left > 0) {
        decide_open(records, slot_i, slot_k, open, left, touching);
    }
}

uint32_t carom_touch(const carom_record *records, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                     uint32_t *out_i, uint32_t *out_k) {
    CAROM_ASSERT(carom_check_named(records, slot_i, 0, count) && carom_check_named(records, slot_k, 0, count));
    CAROM_ASSERT(carom_check_packs_left(out_i, slot_i, count) && carom_check_packs_left(out_k, slot_k, count));
    const uint32_t whole = count - count % LANES;
    uint32_t kept = 0;
    for (uint32_t begin = 0; begin < whole; begin += CHUNK) {
        const uint32_t end = whole - begin < CHUNK ? whole : begin + CHUNK;
        uint32_t touching[CHUNK / LANES];
        decide_chunk(records, end - begin, slot_i + begin, slot_k + begin, touching);
        for (uint32_t n = begin; n < end; n += LANES) {
            const uint32_t bits = touching[(n - begin) / LANES];
            pack(out_i + kept, bits, slot_i + n);
            kept += pack(out_k + kept, bits, slot_k + n);
        }
    }
    return kept + carom_touch_twin(records, count - whole, slot_i + whole, slot_k + whole, out_i + kept, out_k + kept);
}
