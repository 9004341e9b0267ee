/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The fields of the bodies of APPROACH_LANES pairs. Slots of records come in; vectors of doubles go out, in both
 * precisions. */
#ifndef CAROM_SIMD_PAIR_FIELDS_H
#define CAROM_SIMD_PAIR_FIELDS_H

#include "simd/approach.h"

static inline void pair_fields_load(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k,
                                    vd i[8], vd k[8]) {
#if CAROM_REAL_BITS == 32
    vf field[8];
    vf_rows_of_two((const float *)(const void *)records, slot_i, slot_k, field);
    for (int n = 0; n < 7; n++) {
        i[n] = vd_from_low(field[n]);
        k[n] = vd_from_high(field[n]);
    }
#else
    vd_rows(records, slot_i, i);
    vd_rows(records, slot_k, k);
#endif
}

#endif
