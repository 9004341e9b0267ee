/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <string.h>

#include "simd/declare.h"

void CAROM_TWIN_OF(sort_keys_f32)(const float *values, uint64_t count, uint32_t *keys) {
    for (uint64_t n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &values[n], sizeof bits);
        keys[n] = (bits >> 31) != 0 ? ~bits : bits ^ UINT32_C(0x80000000);
    }
}
