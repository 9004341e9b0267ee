/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Poses of pairs on their way, one by one. */
#include "simd/ref/aim.h"

#include "simd/check.h"
#include "simd/declare.h"

#define carom_aim_twin CAROM_TWIN_OF(aim)

void carom_aim_twin(carom_aim *aims, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        carom_aim_find(&aims[n]);
    }
}
