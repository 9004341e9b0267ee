/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: the bin of a low corner x is trunc(clamp((x - origin) scale, 0, last)). */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/place.h"

#define carom_bin_keys_twin CAROM_TWIN_OF(bin_keys)

void carom_bin_keys_twin(const float *low, uint32_t count, const carom_bins *bins, uint32_t *key) {
    CAROM_ASSERT(carom_check_bins(bins));
    CAROM_ASSERT(carom_check_apart(low, count * sizeof *low, key, count * sizeof *key));
    for (uint32_t n = 0; n < count; n++) {
        key[n] = (uint32_t)place(low[n], bins->origin, bins->scale, bins->last);
    }
}
