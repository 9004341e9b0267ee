/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The test of simd/near_paths.h, CAROM_LANES pairs at a time: records of eight floats are transposed into registers.
 * The last vector of a call is filled up with copies of its first pair, whose bits are dropped. */
#include "simd/near_paths.h"

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/path_lanes.h"

#define carom_near_row CAROM_KERNEL_OF(near_row)
#define carom_near_pairs CAROM_KERNEL_OF(near_pairs)

/* Bits of the pairs that pass. `extent` is of both paths. */
static inline uint32_t near_bits(const vf a[PATH_FIELDS], const vf b[PATH_FIELDS], vf extent, carom_coarse_time time) {
    const vf length = vf_set1(time.until - time.from);
    const vf from = vf_set1(time.from);
    const vf slack = vf_set1(CAROM_NEAR_SLACK);
    const vf zero = vf_set1(0.0F);
    const vf reach = vf_add(a[PATH_REACH], b[PATH_REACH]);
    const vf square = vf_mul(reach, reach);
    vf sum = zero;
    vf p[3];
    vf v[3];
    for (int d = 0; d < 3; d++) {
        v[d] = vf_sub(a[PATH_V + d], b[PATH_V + d]);
        p[d] = vf_add(vf_sub(a[PATH_X + d], b[PATH_X + d]), vf_mul(v[d], from));
        sum = vf_add(sum, vf_add(vf_abs(p[d]), vf_abs(v[d])));
    }
    const vf pp = vf_add(vf_add(vf_mul(p[0], p[0]), vf_mul(p[1], p[1])), vf_mul(p[2], p[2]));
    const vf pv = vf_add(vf_add(vf_mul(p[0], v[0]), vf_mul(p[1], v[1])), vf_mul(p[2], v[2]));
    const vf vv = vf_add(vf_add(vf_mul(v[0], v[0]), vf_mul(v[1], v[1])), vf_mul(v[2], v[2]));
    const vf moved = vf_mul(length, vv);
    const vf end = vf_add(pp, vf_mul(length, vf_add(vf_add(pv, pv), moved)));
    const vf limit = vf_add(square, vf_mul(slack, vf_add(pp, vf_mul(vf_mul(length, length), vv))));
    const vf most = vf_add(vf_mul(pv, pv), vf_mul(vf_mul(slack, pp), vv));
    const uint32_t apart = vfm_bits(vfm_and(vf_lt(limit, pp), vf_lt(limit, end)));
    const uint32_t turns = vfm_bits(vfm_and(vf_lt(pv, zero), vf_lt(vf_sub(zero, pv), moved)));
    const uint32_t beyond = vfm_bits(vf_lt(most, vf_mul(vf_sub(pp, square), vv)));
    const vf rounding = vf_mul(vf_mul(vf_set1(CAROM_NEAR_ROUNDING), extent), sum);
    const uint32_t part = vfm_bits(vf_lt(vf_add(rounding, vf_mul(vf_set1(time.spread), reach)), pv));
    return ~(part | (apart & ~(turns & ~beyond)));
}

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
        const uint32_t *at = path_slots(slot + n, count - n, spare);
        vf b[PATH_FIELDS];
        vf_rows_of_two(records, at, at + CAROM_LANES / 2, b);
        const vi other = vf_bits(b[PATH_GROUP]);
        const uint32_t apart = bits_not_zero(vi_sub(other, group)) & path_lanes(count - n);
        const uint32_t passing = near_bits(a, b, vf_add(extent, path_extent(b, steps)), time);
        kept.near += vi_pack_store(near + kept.near, passing & apart, vi_load(at));
        kept.grouped += vi_pack_store(grouped + kept.grouped, bits_not_zero(other) & apart, vi_load(at));
    }
    return kept;
}

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
        const uint32_t *at_a = path_slots(slot_a + n, count - n, spare_a);
        const uint32_t *at_b = path_slots(slot_b + n, count - n, spare_b);
        vf_rows_of_two(records, at_a, at_a + CAROM_LANES / 2, a);
        vf_rows_of_two(records, at_b, at_b + CAROM_LANES / 2, b);
        const uint32_t passing =
            near_bits(a, b, vf_add(path_extent(a, steps), path_extent(b, steps)), time) & path_lanes(count - n);
        kept += vi_pack_store(near + kept, passing, vi_add(lane, vi_set1((int32_t)n)));
    }
    return kept;
}
