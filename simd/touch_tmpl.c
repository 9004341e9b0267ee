/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs touch in the step, without a division or a root. */
#include "simd/declare.h"

#if CAROM_REAL_BITS == 32

#include "simd/approach_float.h"

enum { LANES = CAROM_LANES };
static const uint32_t ALL = (uint32_t)((UINT64_C(1) << LANES) - 1);

uint32_t CAROM_KERNEL(touch)(const carom_record_f32 *records, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k) {
    uint32_t kept = 0;
    uint32_t n = 0;
    for (; n + LANES <= count; n += LANES) {
        vf i[7];
        vf k[7];
        vr_rows(records, slot_i + n, i);
        vr_rows(records, slot_k + n, k);
        uint32_t bits = approach_float_touches(records, ALL, slot_i + n, slot_k + n, i, k);
        vi_pack_store(out_i + kept, bits, vi_load(slot_i + n));
        kept += vi_pack_store(out_k + kept, bits, vi_load(slot_k + n));
    }
    return kept + CAROM_TWIN(touch)(records, count - n, slot_i + n, slot_k + n, out_i + kept, out_k + kept);
}

#else

#include "simd/approach.h"

uint32_t CAROM_KERNEL(touch)(const carom_record_f64 *records, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k) {
    enum { LANES = APPROACH_LANES };
    uint32_t kept = 0;
    uint32_t n = 0;
    for (; n + LANES <= count; n += LANES) {
        vd i[8];
        vd k[8];
        vd_rows(records, slot_i + n, i);
        vd_rows(records, slot_k + n, k);
        approach x = approach_of(i, k);
        uint32_t bits = approach_touches(&x, i, k);
        vd_pack_slots(out_i + kept, bits, slot_i + n);
        kept += vd_pack_slots(out_k + kept, bits, slot_k + n);
    }
    return kept + CAROM_TWIN(touch)(records, count - n, slot_i + n, slot_k + n, out_i + kept, out_k + kept);
}

#endif
