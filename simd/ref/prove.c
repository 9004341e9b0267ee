/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Until when planes hold moving cores apart, one by one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/proof.h"

#define carom_prove_twin CAROM_TWIN_OF(prove)

void carom_prove_twin(carom_proof *const *proofs, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        carom_proof_find(proofs[n]);
    }
}
