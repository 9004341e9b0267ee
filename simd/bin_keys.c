/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Low corners of a cell's boxes come in; the bins that sort them go out. The order within a bin does not matter: a
 * sweep starts at the box after the own one, and ends at the end of a bin. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_bin_keys CAROM_KERNEL_OF(bin_keys)
#define carom_bin_keys_twin CAROM_TWIN_OF(bin_keys)

void carom_bin_keys(const float *low, uint32_t count, const carom_bins *bins, uint32_t *key) {
    CAROM_ASSERT(carom_check_bins(bins));
    CAROM_ASSERT(carom_check_apart(low, count * sizeof *low, key, count * sizeof *key));
    uint32_t n = 0;
    for (; n + CAROM_LANES <= count; n += CAROM_LANES) {
        vi_store(key + n, vi_truncate(vf_place(vf_load(low + n), bins->origin, bins->scale, bins->last)));
    }
    carom_bin_keys_twin(low + n, count - n, bins, key + n);
}
