/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs that were found in an earlier step come in. Which of them have overlapping boxes now, and which touch, goes
 * out, as bits and as a list. It spares a step the partition and the sweep. The records of CAROM_LANES pairs are loaded
 * and transposed once, for the boxes and for the decision. */
#include "simd/approach_float.h"
#include "simd/approach_touches.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_recheck CAROM_KERNEL(recheck)
#define carom_recheck_twin CAROM_TWIN(recheck)

/* Records are prefetched this many pairs ahead: those of k lie some cells back, beyond the second-level cache. */
enum { HALF = CAROM_LANES / 2, AHEAD = 128 };

/* Forced inline: gcc takes a function that only prefetches for one without effect. */
static inline __attribute__((always_inline)) void fetch(const carom_record *records, const uint32_t *slot_i,
                                                        const uint32_t *slot_k) {
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        __builtin_prefetch(&records[slot_i[l]]);
        __builtin_prefetch(&records[slot_k[l]]);
    }
}

/* Bits of the pairs whose boxes overlap, by the boxes themselves. Out of line: seldom needed. */
static __attribute__((noinline, cold)) uint32_t overlap_stepped(const vr i[7], const vr k[7], const double centre[3]) {
    vfm overlap = vf_le(vf_set1(0.0F), vf_set1(0.0F));
    for (int a = 0; a < 3; a++) {
        vf lo[2];
        vf hi[2];
        vr_box(i[a], i[4 + a], i[3], centre[a], &lo[0], &hi[0]);
        vr_box(k[a], k[4 + a], k[3], centre[a], &lo[1], &hi[1]);
        overlap = vfm_and(overlap, vfm_and(vf_le(lo[0], hi[1]), vf_le(lo[1], hi[0])));
    }
    return vfm_bits(overlap);
}

/* A box is its rounded box with each side moved one float step outward. The steps of two boxes close a gap of at most
 * this share of their coordinates, four roundings, or of at most the least normal number. */
#define STEPS 0x1p-21F

/* Bits of the pairs whose boxes overlap. The rounded boxes decide nearly all, without the steps: if they overlap, so do
 * the boxes; if the gap between them is above the limit, the boxes do not.
 *
 * A gap is NaN in two cases. Both sides may be infinite: the steps make such boxes overlap. Or a side is NaN, because
 * an f64 sum overflowed: the opposite side is then infinite. In both cases the limit is infinite, so that the boxes
 * themselves decide. For this the operands of min and max are in an order in which NaN is passed over. */
static inline uint32_t overlap_bits(const vr i[7], const vr k[7], const double centre[3]) {
    vf gap = vf_set1(-FLT_MAX);
    vf least = vf_set1(0.0F);
    vf most = vf_set1(0.0F);
    for (int a = 0; a < 3; a++) {
        vf lo[2];
        vf hi[2];
        vr_box_rounded(i[a], i[4 + a], i[3], centre[a], &lo[0], &hi[0]);
        vr_box_rounded(k[a], k[4 + a], k[3], centre[a], &lo[1], &hi[1]);
        gap = vf_max(vf_sub(lo[0], hi[1]), gap);
        gap = vf_max(vf_sub(lo[1], hi[0]), gap);
        least = vf_min(lo[1], vf_min(lo[0], least));
        most = vf_max(hi[1], vf_max(hi[0], most));
    }
    vf limit = vf_max(vf_mul(vf_max(most, vf_negate(least)), vf_set1(STEPS)), vf_set1(FLT_MIN));
    uint32_t overlap = vfm_bits(vf_le(gap, vf_set1(0.0F)));
    uint32_t close = vfm_bits(vf_le(gap, limit));
    if (__builtin_expect(overlap != close, 0)) {
        overlap = overlap_stepped(i, k, centre);
    }
    return overlap;
}

#if CAROM_REAL_BITS == 32
/* Bits of the overlapping pairs that touch. */
static inline uint32_t touching_bits(uint32_t overlap, const vr i[7], const vr k[7]) {
    return approach_float_touches(i, k, overlap);
}

/* Left-packs the slots of CAROM_LANES pairs whose bits are set. */
static inline void pack(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    vi_pack_store(out, bits, vi_load(slot));
}
#else
static inline uint32_t touching_bits(uint32_t overlap, const vr i[7], const vr k[7]) {
    uint32_t touch = 0;
    for (uint32_t half = 0; half < 2; half++) {
        vd half_i[7];
        vd half_k[7];
        for (int n = 0; n < 7; n++) {
            half_i[n] = i[n].half[half];
            half_k[n] = k[n].half[half];
        }
        const uint32_t here = overlap >> half * HALF & ((UINT32_C(1) << HALF) - 1);
        if (here != 0) {
            approach_lanes x = approach_of(half_i, half_k);
            touch |= approach_touches(&x, half_i, half_k, here) << half * HALF;
        }
    }
    return touch;
}

static inline void pack(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    if (bits != 0) {
        const uint32_t kept = vd_pack_slots(out, bits & ((UINT32_C(1) << HALF) - 1), slot);
        vd_pack_slots(out + kept, bits >> HALF, slot + HALF);
    }
}
#endif

/* Stores the bits of CAROM_LANES pairs from pair n on. Vectors of four lanes fill a byte in two turns. */
static inline void put_bits(uint8_t *bits, uint32_t n, uint32_t value) {
    CAROM_ASSERT(n % CAROM_LANES == 0 && value < UINT64_C(1) << CAROM_LANES);
#if CAROM_LANES == 4
    bits[n / 8] = (uint8_t)((n % 8 == 0 ? 0U : bits[n / 8]) | value << n % 8);
#else
    bits[n / 8] = (uint8_t)value;
#endif
#if CAROM_LANES == 16
    bits[n / 8 + 1] = (uint8_t)(value >> 8);
#endif
}

/* Pairs from `begin` on, by the twin. `begin` is a multiple of 16, so that their bits start a byte of their own. */
static void recheck_singly(const carom_recheck_in *in, uint32_t begin, carom_recheck_out *out) {
    const carom_recheck_in rest = {in->records, in->centre,         in->count - begin,
                                   in->more,    in->slot_i + begin, in->slot_k + begin};
    carom_recheck_out more = {.slot_i = out->slot_i + out->counts.touching,
                              .slot_k = out->slot_k + out->counts.touching,
                              .overlapping = out->overlapping + begin / 8,
                              .touching = out->touching + begin / 8};
    carom_recheck_twin(&rest, &more);
    out->counts.overlapping += more.counts.overlapping;
    out->counts.touching += more.counts.touching;
}

void carom_recheck(const carom_recheck_in *in, carom_recheck_out *out) {
    CAROM_ASSERT(carom_check_recheck(in));
    CAROM_ASSERT(carom_check_recheck_out(in, out));
    const carom_recheck_in pairs = *in;
    const carom_recheck_out to = *out;
    carom_recheck_counts found = {0, 0};
    const uint32_t whole = pairs.count - pairs.count % 16;
    uint32_t n = 0;
    for (; n < whole; n += CAROM_LANES) {
        const uint32_t *slot_i = pairs.slot_i + n;
        const uint32_t *slot_k = pairs.slot_k + n;
        vr i[7];
        vr k[7];
        if (n + AHEAD + CAROM_LANES <= pairs.count + pairs.more) {
            fetch(pairs.records, slot_i + AHEAD, slot_k + AHEAD);
        }
        vr_rows(pairs.records, slot_i, i);
        vr_rows(pairs.records, slot_k, k);
        uint32_t overlap = overlap_bits(i, k, pairs.centre);
        uint32_t touch = touching_bits(overlap, i, k);
        pack(to.slot_i + found.touching, touch, slot_i);
        pack(to.slot_k + found.touching, touch, slot_k);
        found.touching += (uint32_t)__builtin_popcount(touch);
        found.overlapping += (uint32_t)__builtin_popcount(overlap);
        put_bits(to.overlapping, n, overlap);
        put_bits(to.touching, n, touch);
    }
    out->counts = found;
    recheck_singly(in, n, out);
}
