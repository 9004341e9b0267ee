/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Decides, of pairs known from an earlier step, whose boxes overlap now and which touch. Boxes lie as rows, so that
 * their test needs no turning of rows to columns; only what passes it is turned for the decision. */
#include "simd/approach.h"
#include "simd/declare.h"

enum { LANES = CAROM_LANES / 2 };

static inline uint32_t overlap_bits(const carom_slot_box *boxes, const uint32_t *slot_i, const uint32_t *slot_k) {
    uint32_t bits = 0;
    for (uint32_t n = 0; n < 8; n++) {
        bits |= vec_rows_overlap(boxes[slot_i[n]].lo, boxes[slot_k[n]].lo) << n;
    }
    return bits;
}

static inline uint32_t touch_bits(const CAROM_REAL(carom_record) * records, const uint32_t *slot_i,
                                  const uint32_t *slot_k) {
    vd i[7];
    vd k[7];
    vd_rows(records, slot_i, i);
    vd_rows(records, slot_k, k);
    approach x = approach_of(i, k);
    return vdm_bits(approach_touches(&x));
}

uint32_t CAROM_KERNEL(recheck)(const CAROM_REAL(carom_record) * records, const carom_slot_box *boxes, uint32_t count,
                               const uint32_t *slot_i, const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k,
                               uint8_t *touching, uint32_t *box_pairs) {
    uint32_t kept = 0;
    uint32_t overlapping = 0;
    uint32_t n = 0;
    for (; n + 8 <= count; n += 8) {
        uint32_t overlap = overlap_bits(boxes, slot_i + n, slot_k + n);
        uint32_t touch = 0;
        overlapping += (uint32_t)__builtin_popcount(overlap);
        for (uint32_t part = 0; part < 8; part += LANES) {
            uint32_t here = overlap >> part & ((UINT32_C(1) << LANES) - 1);
            if (here != 0) {
                here &= touch_bits(records, slot_i + n + part, slot_k + n + part);
                vd_pack_slots(out_i + kept, here, slot_i + n + part);
                kept += vd_pack_slots(out_k + kept, here, slot_k + n + part);
                touch |= here << part;
            }
        }
        touching[n / 8] = (uint8_t)touch;
    }
    *box_pairs += overlapping;
    return kept + CAROM_TWIN(recheck)(records, boxes, count - n, slot_i + n, slot_k + n, out_i + kept, out_k + kept,
                                      touching + n / 8, box_pairs);
}
