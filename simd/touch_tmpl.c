/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs touch in the step, without a division or a root. Pairs that the quick decision leaves open are set aside
 * and decided together, in full vectors: where bodies touch to the last digit, as in lattices, they are many. */
#include "simd/approach_float.h"
#include "simd/approach_touches.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_touch CAROM_KERNEL(touch)
#define carom_touch_twin CAROM_TWIN(touch)

/* Pairs packed together, after those set aside are decided. */
enum { CHUNK = 512 };

#if CAROM_REAL_BITS == 32

enum { LANES = CAROM_LANES };

/* Bits of LANES pairs that touch, and of those left *open. */
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

static inline void rows_of(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k, vd i[7],
                           vd k[7]) {
    vf field[8];
    vf_rows_of_two((const float *)(const void *)records, slot_i, slot_k, field);
    for (int n = 0; n < 7; n++) {
        i[n] = vd_from_low(field[n]);
        k[n] = vd_from_high(field[n]);
    }
}

static inline uint32_t pack(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    return vi_pack_store(out, bits, vi_load(slot));
}

#else

enum { LANES = APPROACH_LANES };

static inline void rows_of(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k, vd i[8],
                           vd k[8]) {
    vd_rows(records, slot_i, i);
    vd_rows(records, slot_k, k);
}

static inline uint32_t decide(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k,
                              uint32_t *open) {
    vd i[8];
    vd k[8];
    vdm certain;
    rows_of(records, slot_i, slot_k, i, k);
    const approach_lanes x = approach_of(i, k);
    const uint32_t touching = vdm_bits(approach_decide(&x, &certain));
    *open = ~vdm_bits(certain) & APPROACH_ALL;
    return touching & ~*open;
}

static inline uint32_t pack(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    return vd_pack_slots(out, bits, slot);
}

#endif

/* Decides those of some pairs whose numbers are in `open`, and sets their bits; the list has room for more. Out of
 * line: seldom needed. */
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
        rows_of(records, slots[0], slots[1], i, k);
        const approach_lanes x = approach_of(i, k);
        for (uint32_t bits = approach_touches(&x, i, k, APPROACH_ALL); bits != 0; bits &= bits - 1) {
            const uint32_t pair = open[n + (uint32_t)__builtin_ctz(bits)];
            touching[pair / LANES] |= UINT32_C(1) << pair % LANES;
        }
    }
}

/* Bits of `count` pairs, a multiple of LANES. */
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
