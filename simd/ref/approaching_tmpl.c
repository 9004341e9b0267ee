/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: a pair is kept if p.v < 0, as exact arithmetic decides. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/approach.h"

#define carom_approaching_twin CAROM_TWIN(approaching)

static bool approaches(const carom_record *i, const carom_record *k) {
    const approach x = approach_of(i, k);
    if (approach_in_range(&x) && fabs(x.b) > (x.start + x.a) * CAROM_MARGIN_ANY) {
        return x.b < 0.0;
    }
    double fields[2][7];
    exact_fields(i, fields[0]);
    exact_fields(k, fields[1]);
    return carom_exact_approaches(fields[0], fields[1]);
}

uint32_t carom_approaching_twin(const carom_record *records, uint32_t count, const uint32_t *slot_i,
                                const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k) {
    CAROM_ASSERT(carom_check_named(records, slot_i, 0, count) && carom_check_named(records, slot_k, 0, count));
    CAROM_ASSERT(carom_check_packs_left(out_i, slot_i, count) && carom_check_packs_left(out_k, slot_k, count));
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = slot_i[n];
        const uint32_t k = slot_k[n];
        out_i[kept] = i;
        out_k[kept] = k;
        kept += approaches(&records[i], &records[k]);
    }
    return kept;
}
