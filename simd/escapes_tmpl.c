/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which bodies have left the hulls they were promised to stay in. Values that are no numbers, and negative radii,
 * count as having left. */
#include "simd/declare.h"
#include "simd/real.h"

/* Bit set: the lane is 0, which x - x is for every number. */
#if CAROM_REAL_BITS == 32
static inline uint32_t zero_bits(vr x) {
    return vfm_bits(vfm_and(vf_le(x, vf_set1(0.0F)), vf_le(vf_set1(0.0F), x)));
}
static inline uint32_t positive_bits(vr x) {
    return vfm_bits(vf_le(vf_set1(0.0F), x));
}
#else
static inline uint32_t zero_bits(vr x) {
    vd zero = vd_set1(0.0);
    uint32_t low = vdm_bits(vdm_and(vd_le(x.half[0], zero), vd_le(zero, x.half[0])));
    uint32_t high = vdm_bits(vdm_and(vd_le(x.half[1], zero), vd_le(zero, x.half[1])));
    return low | high << (CAROM_LANES / 2);
}
static inline uint32_t positive_bits(vr x) {
    vd zero = vd_set1(0.0);
    return vdm_bits(vd_le(zero, x.half[0])) | vdm_bits(vd_le(zero, x.half[1])) << (CAROM_LANES / 2);
}
#endif

/* Thirteen streams are more than the hardware follows by itself: each is asked for this many bodies ahead. */
enum { AHEAD = 256 };

static inline __attribute__((always_inline)) void fetch(const CAROM_REAL(carom_bodies) * bodies, uint64_t n,
                                                        float *const lo[3], float *const hi[3]) {
    __builtin_prefetch(bodies->radius + n);
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(bodies->prev[a] + n);
        __builtin_prefetch(bodies->curr[a] + n);
        __builtin_prefetch(lo[a] + n);
        __builtin_prefetch(hi[a] + n);
    }
}

static inline uint32_t kept_bits(const CAROM_REAL(carom_bodies) * bodies, uint64_t n, const double centre[3],
                                 float *const lo[3], float *const hi[3]) {
    vr radius = vr_load(bodies->radius + n);
    vr defect = vr_sub(radius, radius);
    vf low;
    vf high;
    vfm kept = vf_le(vf_set1(0.0F), vf_set1(0.0F));
    for (int a = 0; a < 3; a++) {
        vr prev = vr_load(bodies->prev[a] + n);
        vr curr = vr_load(bodies->curr[a] + n);
        vr_box(prev, curr, radius, centre[a], &low, &high);
        kept = vfm_and(kept, vfm_and(vf_le(vf_load(lo[a] + n), low), vf_le(high, vf_load(hi[a] + n))));
        defect = vr_add(defect, vr_add(vr_sub(prev, prev), vr_sub(curr, curr)));
    }
    return vfm_bits(kept) & zero_bits(defect) & positive_bits(radius);
}

uint32_t CAROM_KERNEL(escapes)(const CAROM_REAL(carom_bodies) * bodies, uint64_t begin, uint64_t end,
                               const double centre[3], float *const lo[3], float *const hi[3], uint32_t *out) {
    const uint32_t all = (UINT32_C(1) << CAROM_LANES) - 1;
    uint32_t found = 0;
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        if (n + AHEAD < bodies->count) {
            fetch(bodies, n + AHEAD, lo, hi);
        }
        uint32_t gone = all & ~kept_bits(bodies, n, centre, lo, hi);
        for (; gone != 0; gone &= gone - 1) {
            out[found++] = (uint32_t)n + (uint32_t)__builtin_ctz(gone);
        }
    }
    return found + CAROM_TWIN(escapes)(bodies, n, end, centre, lo, hi, out + found);
}
