/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The arithmetic of simd/instant_pairs.h, CAROM_LANES pairs at a time. The last vector of a row is filled up with
 * copies of its first pair, the last vector of a list with whatever is behind it: the bits of these lanes are dropped.
 */
#include "simd/instant_pairs.h"

#include "simd/declare.h"
#include "simd/path_lanes.h"

#define carom_instant_row CAROM_KERNEL_OF(instant_row)
#define carom_instant_next CAROM_KERNEL_OF(instant_next)

/* CAROM_LANES pairs. */
typedef struct instant_lanes {
    vf p[3];
    vf rate;
    vf margin;
    uint32_t touch; /* bits */
} instant_lanes;

static inline instant_lanes pairs_of(const vf a[PATH_FIELDS], const vf b[PATH_FIELDS], vf extent, float time) {
    const vf before = vf_set1(time - CAROM_COARSE_MOMENT);
    const vf reach = vf_add(a[PATH_REACH], b[PATH_REACH]);
    instant_lanes pairs;
    vf sum = vf_set1(0.0F);
    vf pp = vf_set1(0.0F);
    vf pv = vf_set1(0.0F);
    for (int d = 0; d < 3; d++) {
        const vf x = vf_sub(a[PATH_X + d], b[PATH_X + d]);
        const vf v = vf_sub(a[PATH_V + d], b[PATH_V + d]);
        const vf now = vf_add(x, vf_mul(v, vf_set1(time)));
        pairs.p[d] = vf_add(x, vf_mul(v, before));
        pp = vf_add(pp, vf_mul(now, now));
        pv = d == 0 ? vf_mul(pairs.p[d], v) : vf_add(pv, vf_mul(pairs.p[d], v));
        sum = vf_add(sum, vf_add(vf_abs(pairs.p[d]), vf_abs(v)));
    }
    const vf limit = vf_add(vf_mul(reach, reach), vf_mul(vf_set1(CAROM_NEAR_SLACK), pp));
    pairs.touch = ~vfm_bits(vf_lt(limit, pp));
    pairs.rate = vf_sub(pv, vf_mul(vf_mul(vf_set1(CAROM_NEAR_ROUNDING), extent), sum));
    pairs.margin = vf_mul(vf_set1(CAROM_INSTANT_MARGIN), extent);
    return pairs;
}

static inline void pack(float *to, uint32_t bits, vf x) {
    vi_pack_store((uint32_t *)(void *)to, bits, vf_bits(x));
}

uint32_t carom_instant_row(const carom_coarse_path *paths, const carom_coarse_path *own, const uint32_t *slot,
                           uint32_t count, float time, const carom_instant_rows *rows) {
    const float *records = paths->x;
    const float *value = own->x;
    vf a[PATH_FIELDS];
    for (int f = 0; f < PATH_GROUP; f++) {
        a[f] = vf_set1(value[f]);
    }
    const vf steps = vf_set1(carom_near_steps((carom_coarse_time){time, time, 0.0F}));
    const vf extent = path_extent(a, steps);
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n += CAROM_LANES) {
        uint32_t spare[CAROM_LANES];
        const uint32_t *at = vi_fill_up(slot + n, count - n, spare);
        vf b[PATH_FIELDS];
        vf_rows_of_two(records, at, at + CAROM_LANES / 2, b);
        const instant_lanes pairs = pairs_of(a, b, vf_add(extent, path_extent(b, steps)), time);
        const uint32_t bits = pairs.touch & path_lanes(count - n);
        for (int d = 0; d < 3; d++) {
            pack(rows->p[d] + kept, bits, pairs.p[d]);
        }
        pack(rows->rate + kept, bits, pairs.rate);
        pack(rows->margin + kept, bits, pairs.margin);
        kept += vi_pack_store(rows->owner + kept, bits, vi_load(at));
    }
    return kept;
}

uint32_t carom_instant_next(const carom_instant_rows *rows, uint32_t from, uint32_t count, const float turn[3],
                            float speed) {
    const vf u[3] = {vf_set1(turn[0]), vf_set1(turn[1]), vf_set1(turn[2])};
    for (uint32_t n = from; n < count; n += CAROM_LANES) {
        vf pu = vf_mul(vf_load(rows->p[0] + n), u[0]);
        pu = vf_add(pu, vf_mul(vf_load(rows->p[1] + n), u[1]));
        pu = vf_add(pu, vf_mul(vf_load(rows->p[2] + n), u[2]));
        const vf most = vf_mul(vf_load(rows->margin + n), vf_set1(speed));
        const vfm part = vf_lt(most, vf_add(vf_load(rows->rate + n), pu));
        const uint32_t near = ~vfm_bits(part) & path_lanes(count - n);
        if (near != 0) {
            return n + (uint32_t)__builtin_ctz(near);
        }
    }
    return count;
}
