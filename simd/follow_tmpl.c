/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves bodies to their slots, and says which have left the hulls that they were promised to stay in: both in one pass,
 * so that what is waited for, the bodies' values and the slots' cache lines, is waited for at once. Values that are no
 * numbers, and negative radii, count as having left. */
#include <stdbool.h>

#include "simd/check.h"
#include "simd/records.h"

#define carom_follow CAROM_KERNEL(follow)
#define carom_follow_twin CAROM_TWIN(follow)

/* Bit set: the lane is 0, which x - x is for every number. */
#if CAROM_REAL_BITS == 32
static inline uint32_t zero_bits(vr x) {
    return vfm_bits(vfm_and(vf_le(x, vf_set1(0.0F)), vf_le(vf_set1(0.0F), x)));
}
static inline uint32_t positive_bits(vr x) {
    return vfm_bits(vf_le(vf_set1(0.0F), x));
}
static inline uint32_t number_bits(vr x) {
    return vfm_bits(vf_le(x, x));
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
static inline uint32_t number_bits(vr x) {
    return vdm_bits(vd_le(x.half[0], x.half[0])) | vdm_bits(vd_le(x.half[1], x.half[1])) << (CAROM_LANES / 2);
}
#endif

/* Thirteen streams are more than the hardware follows by itself: each is asked for this many bodies ahead. */
enum { AHEAD = 256, ALL = (1 << CAROM_LANES) - 1 };

static inline __attribute__((always_inline)) void fetch_bodies(const carom_bodies *bodies, uint64_t n) {
    __builtin_prefetch(bodies->radius + n);
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(bodies->prev[a] + n);
        __builtin_prefetch(bodies->curr[a] + n);
    }
}

static inline __attribute__((always_inline)) void fetch_hulls(const carom_hull_set *hulls, uint64_t n) {
    const carom_inner_hulls *inner = hulls->inner;
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(inner != NULL ? (const void *)(inner->lo[a] + n) : (const void *)(hulls->lo[a] + n));
        __builtin_prefetch(inner != NULL ? (const void *)(inner->hi[a] + n) : (const void *)(hulls->hi[a] + n));
    }
}

/* Whether all are inside their inner hulls, by rounded boxes: the step outward ends inside what they do not reach. A
 * value of prev that is no number is passed over by minimum and maximum; all others show in the boxes. */
static inline bool all_inside(const carom_bodies *bodies, uint64_t n, const carom_hull_set *hulls) {
    const carom_inner_hulls *inner = hulls->inner;
    vr radius = vr_load(bodies->radius + n);
    vr sum = vr_sub(radius, radius);
    vfm inside = vf_le(vf_set1(0.0F), vf_set1(0.0F));
    for (int a = 0; a < 3; a++) {
        vr prev = vr_load(bodies->prev[a] + n);
        vf origin = vf_set1(inner->origin[a]);
        vf step = vf_set1(inner->step[a]);
        vf lo = vf_add(origin, vf_mul(vf_load_u16(inner->lo[a] + n), step));
        vf hi = vf_add(origin, vf_mul(vf_load_u16(inner->hi[a] + n), step));
        vf low;
        vf high;
        vr_box_rounded(prev, vr_load(bodies->curr[a] + n), radius, hulls->centre[a], &low, &high);
        inside = vfm_and(inside, vfm_and(vf_lt(lo, low), vf_lt(high, hi)));
        sum = vr_add(sum, prev);
    }
    return (vfm_bits(inside) & positive_bits(radius) & number_bits(sum)) == ALL;
}

/* Those inside their hulls. */
static inline uint32_t kept_bits(const carom_bodies *bodies, uint64_t n, const carom_hull_set *hulls) {
    vr radius = vr_load(bodies->radius + n);
    vr defect = vr_sub(radius, radius);
    vf low;
    vf high;
    vfm kept = vf_le(vf_set1(0.0F), vf_set1(0.0F));
    for (int a = 0; a < 3; a++) {
        vr prev = vr_load(bodies->prev[a] + n);
        vr curr = vr_load(bodies->curr[a] + n);
        vr_box(prev, curr, radius, hulls->centre[a], &low, &high);
        kept = vfm_and(kept, vfm_and(vf_le(vf_load(hulls->lo[a] + n), low), vf_le(high, vf_load(hulls->hi[a] + n))));
        defect = vr_add(defect, vr_add(vr_sub(prev, prev), vr_sub(curr, curr)));
    }
    return vfm_bits(kept) & zero_bits(defect) & positive_bits(radius);
}

static inline void move_lanes(const carom_bodies *bodies, uint64_t n, const uint32_t *slot, bool past_cache,
                              carom_record *records) {
#if CAROM_REAL_BITS == 64
    if (past_cache) {
        place_lanes_past_cache(bodies, n, slot, records);
        return;
    }
#else
    (void)past_cache;
#endif
    place_lanes(bodies, n, slot, records);
}

/* Bodies [begin, end) one by one; `found` have escaped before them. */
static void follow_singly(const carom_follow_in *in, uint64_t begin, uint32_t found, carom_follow_out *out) {
    carom_follow_in rest = *in;
    carom_follow_out more = {out->records, out->escaped + found, 0};
    rest.begin = begin;
    carom_follow_twin(&rest, &more);
    out->escaped_count = found + more.escaped_count;
}

void carom_follow(const carom_follow_in *in, carom_follow_out *out) {
    CAROM_ASSERT(carom_check_follow(in));
    CAROM_ASSERT(in->begin == in->end || (out->records != NULL && out->escaped != NULL));
    const carom_bodies *bodies = in->bodies;
    const carom_hull_set *hulls = in->hulls;
    const uint32_t *slot = in->slot;
    carom_record *records = out->records;
    uint32_t *escaped = out->escaped;
    const bool past_cache = in->past_cache;
    const uint64_t end = in->end;
    const bool fetch_lines = !(CAROM_REAL_BITS == 64 && past_cache);
    uint32_t found = 0;
    uint64_t n = in->begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        if (n + AHEAD < bodies->count) {
            fetch_bodies(bodies, n + AHEAD);
            fetch_hulls(hulls, n + AHEAD);
        }
        if (fetch_lines && n + CAROM_LANES + CAROM_SLOTS_AHEAD <= bodies->count) {
            fetch_slots(records, slot + n + CAROM_SLOTS_AHEAD);
        }
        move_lanes(bodies, n, slot, past_cache, records);
        if (hulls->inner != NULL && __builtin_expect(all_inside(bodies, n, hulls), 1)) {
            continue;
        }
        uint32_t gone = ALL & ~kept_bits(bodies, n, hulls);
        for (; gone != 0; gone &= gone - 1) {
            escaped[found++] = (uint32_t)n + (uint32_t)__builtin_ctz(gone);
        }
    }
    if (!fetch_lines) {
        carom_stream_fence();
    }
    follow_singly(in, n, found, out);
}
