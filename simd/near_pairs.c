/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The test of simd/near_paths.h for pairs, CAROM_LANES at a time: records of eight floats are transposed into
 * registers. The last vector of a call is filled up with copies of its first pair, whose bits are dropped. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/near_lanes.h"

#define carom_near_pairs CAROM_KERNEL_OF(near_pairs)

uint32_t carom_near_pairs(const carom_coarse_path *paths, const uint32_t *slot_a, const uint32_t *slot_b,
                          uint32_t count, carom_coarse_time time, uint32_t *near) {
    const float *records = paths->x;
    uint32_t number[CAROM_LANES];
    for (uint32_t n = 0; n < CAROM_LANES; n++) {
        number[n] = n;
    }
    const vi lane = vi_load(number);
    const vf steps = vf_set1(carom_near_steps(time));
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        uint32_t spare_a[CAROM_LANES];
        uint32_t spare_b[CAROM_LANES];
        vf a[PATH_FIELDS];
        vf b[PATH_FIELDS];
        const uint32_t *at_a = vi_fill_up(slot_a + n, count - n, spare_a);
        const uint32_t *at_b = vi_fill_up(slot_b + n, count - n, spare_b);
        vf_rows_of_two(records, at_a, at_a + CAROM_LANES / 2, a);
        vf_rows_of_two(records, at_b, at_b + CAROM_LANES / 2, b);
        const uint32_t passing =
            carom_near_bits(a, b, vf_add(path_extent(a, steps), path_extent(b, steps)), time) & path_lanes(count - n);
        kept += vi_pack_store(near + kept, passing, vi_add(lane, vi_set1((int32_t)n)));
    }
    return kept;
}
