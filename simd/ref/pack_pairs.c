/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: candidate by candidate. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_pack_pairs_twin CAROM_TWIN_OF(pack_pairs)

void carom_pack_pairs_twin(uint32_t body, const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *i,
                           uint32_t *k) {
    for (uint32_t n = 0; n < count; n++) {
        if ((bits[n / 16] >> n % 16 & 1) != 0) {
            *i++ = body < id[n] ? body : id[n];
            *k++ = body < id[n] ? id[n] : body;
        }
    }
}
