/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Heights of gaps over planes that turn, one by one. */
#include "simd/ref/heights.h"

#include "simd/check.h"
#include "simd/declare.h"

#define carom_heights_twin CAROM_TWIN_OF(heights)

void carom_heights_twin(carom_height_query *queries, uint32_t count, uint32_t planes) {
    for (uint32_t n = 0; n < count; n++) {
        carom_heights_answer(&queries[n], planes);
    }
}
