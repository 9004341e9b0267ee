/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: a pair is kept if |p + t v| <= R for some t in [0, 1], as exact arithmetic decides. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/approach.h"

#define carom_touch_twin CAROM_TWIN(touch)

uint32_t carom_touch_twin(const carom_record *records, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k,
                          uint32_t *out_i, uint32_t *out_k) {
    CAROM_ASSERT(carom_check_named(records, slot_i, 0, count) && carom_check_named(records, slot_k, 0, count));
    CAROM_ASSERT(carom_check_packs_left(out_i, slot_i, count) && carom_check_packs_left(out_k, slot_k, count));
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = slot_i[n];
        uint32_t k = slot_k[n];
        approach x = approach_of(&records[i], &records[k]);
        /* Written in any case, kept if they touch; out may be slot, which has been read. */
        out_i[kept] = i;
        out_k[kept] = k;
        kept += approach_touches(&x, &records[i], &records[k]);
    }
    return kept;
}
