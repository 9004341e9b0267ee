/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: bit by bit. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_pack_hits_twin CAROM_TWIN_OF(pack_hits)

void carom_pack_hits_twin(const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *packed) {
    for (uint32_t n = 0; n < count; n++) {
        *packed = id[n];
        packed += bits[n / 16] >> n % 16 & 1;
    }
    for (uint32_t n = 0; n < CAROM_HIT_ROW_ENDS; n++) {
        packed[n] = UINT32_MAX;
    }
}
