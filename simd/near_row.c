/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The test of simd/near_paths.h for a body and a row of others, CAROM_LANES at a time: records of eight floats are
 * transposed into registers. The last vector of a call is filled up with copies of its first pair, whose bits are
 * dropped. Most rows have fewer than eight entries: wider vectors take as many records again, and 512 bits made the
 * verification of a step a sixth slower. */
#define CAROM_VEC_256

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/near_lanes.h"

#define carom_near_row CAROM_KERNEL_OF(near_row)

/* Bits of the values that are not 0. */
static inline uint32_t bits_not_zero(vi value) {
    const vf number = vf_from_int(value);
    const vf zero = vf_set1(0.0F);
    return vfm_bits(vf_lt(number, zero)) | vfm_bits(vf_lt(zero, number));
}

carom_near_counts carom_near_row(const carom_coarse_path *paths, const carom_coarse_path *own, const uint32_t *slot,
                                 uint32_t count, carom_coarse_time time, uint32_t *near, uint32_t *grouped) {
    const float *records = paths->x;
    const float *value = own->x;
    vf a[PATH_FIELDS];
    for (int f = 0; f < PATH_GROUP; f++) {
        a[f] = vf_set1(value[f]);
    }
    const vf steps = vf_set1(carom_near_steps(time));
    const vf extent = path_extent(a, steps);
    const vi group = vi_set1((int32_t)own->group);
    carom_near_counts kept = {0, 0};
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        uint32_t spare[CAROM_LANES];
        const uint32_t *at = vi_fill_up(slot + n, count - n, spare);
        vf b[PATH_FIELDS];
        vf_rows_of_two(records, at, at + CAROM_LANES / 2, b);
        const vi other = vf_bits(b[PATH_GROUP]);
        const uint32_t apart = bits_not_zero(vi_sub(other, group)) & path_lanes(count - n);
        const uint32_t passing = carom_near_bits(a, b, vf_add(extent, path_extent(b, steps)), time);
        kept.near += vi_pack_store(near + kept.near, passing & apart, vi_load(at));
        kept.grouped += vi_pack_store(grouped + kept.grouped, bits_not_zero(other) & apart, vi_load(at));
    }
    return kept;
}
