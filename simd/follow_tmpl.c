/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a new step and the slots and fat boxes of an earlier one come in; records in their slots, and a list of the
 * bodies that have left their fat boxes, go out. Both are done in one pass, so that the two things a pass waits for,
 * the values of the bodies and the cache lines of the slots, are waited for at the same time. A body with NaN, infinity
 * or a negative radius counts as having left. */
#include <stdbool.h>

#include "simd/check.h"
#include "simd/records.h"

#define carom_follow CAROM_KERNEL(follow)
#define carom_follow_twin CAROM_TWIN(follow)

/* Bits of the lanes that are 0, at least 0, and not NaN. x - x is 0 for every finite x, and NaN for others. */
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

/* Thirteen streams are more than the hardware prefetches by itself: each is prefetched this many bodies ahead. */
enum { AHEAD = 256, ALL = (1 << CAROM_LANES) - 1 };

static inline __attribute__((always_inline)) void fetch_bodies(const carom_bodies *bodies, uint64_t n,
                                                               bodies_form form) {
    if (form != BODIES_PACKED) {
        return; /* few streams */
    }
    __builtin_prefetch(bodies->radius + n);
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(bodies->prev[a] + n);
        __builtin_prefetch(bodies->curr[a] + n);
    }
}

static inline __attribute__((always_inline)) void fetch_fat_boxes(const carom_fat_box_set *fat_boxes, uint64_t n) {
    const carom_inner_boxes *inner = fat_boxes->inner;
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(inner != NULL ? (const void *)(inner->lo[a] + n) : (const void *)(fat_boxes->lo[a] + n));
        __builtin_prefetch(inner != NULL ? (const void *)(inner->hi[a] + n) : (const void *)(fat_boxes->hi[a] + n));
    }
}

/* Whether CAROM_LANES bodies are all inside their inner boxes. Rounded boxes suffice: if they are strictly inside, the
 * float step outward does not leave. NaN in prev is passed over by minimum and maximum, so `sum` looks for it; NaN in
 * curr or radius, and infinity, show in the boxes. */
static inline __attribute__((always_inline)) bool all_inside(const carom_bodies *bodies, uint64_t n, const strided *s,
                                                             const carom_fat_box_set *fat_boxes) {
    const carom_inner_boxes *inner = fat_boxes->inner;
    vr radius = radius_of(bodies, n, s);
    vr sum = vr_sub(radius, radius);
    vfm inside = vf_le(vf_set1(0.0F), vf_set1(0.0F));
    for (int a = 0; a < 3; a++) {
        vr prev = prev_of(bodies, n, a, s);
        vf origin = vf_set1(inner->origin[a]);
        vf step = vf_set1(inner->step[a]);
        vf lo = vf_add(origin, vf_mul(vf_load_u16(inner->lo[a] + n), step));
        vf hi = vf_add(origin, vf_mul(vf_load_u16(inner->hi[a] + n), step));
        vf low;
        vf high;
        vr_box_rounded(prev, curr_of(bodies, n, a, s), radius, fat_boxes->centre[a], &low, &high);
        inside = vfm_and(inside, vfm_and(vf_lt(lo, low), vf_lt(high, hi)));
        sum = vr_add(sum, prev);
    }
    return (vfm_bits(inside) & positive_bits(radius) & number_bits(sum)) == ALL;
}

/* Bits of the bodies inside their fat boxes. */
static inline uint32_t kept_bits(const carom_bodies *bodies, uint64_t n, const strided *s,
                                 const carom_fat_box_set *fat_boxes) {
    vr radius = radius_of(bodies, n, s);
    vr defect = vr_sub(radius, radius);
    vf low;
    vf high;
    vfm kept = vf_le(vf_set1(0.0F), vf_set1(0.0F));
    for (int a = 0; a < 3; a++) {
        vr prev = prev_of(bodies, n, a, s);
        vr curr = curr_of(bodies, n, a, s);
        vr_box(prev, curr, radius, fat_boxes->centre[a], &low, &high);
        kept = vfm_and(kept,
                       vfm_and(vf_le(vf_load(fat_boxes->lo[a] + n), low), vf_le(high, vf_load(fat_boxes->hi[a] + n))));
        defect = vr_add(defect, vr_add(vr_sub(prev, prev), vr_sub(curr, curr)));
    }
    return vfm_bits(kept) & zero_bits(defect) & positive_bits(radius);
}

/* Moves CAROM_LANES bodies to their slots. */
static inline __attribute__((always_inline)) void move_lanes(const carom_bodies *bodies, uint64_t n, const strided *s,
                                                             const uint32_t *slot, bool past_cache,
                                                             carom_record *records) {
#if CAROM_REAL_BITS == 64
    if (past_cache) {
        place_lanes_past_cache(bodies, n, s, slot, records);
        return;
    }
#else
    (void)past_cache;
#endif
    place_lanes(bodies, n, s, slot, records);
}

/* Bodies from `begin` on, by the twin; `found` have escaped before them. */
static void follow_singly(const carom_follow_in *in, uint64_t begin, uint32_t found, carom_follow_out *out) {
    carom_follow_in rest = *in;
    carom_follow_out more = {out->records, out->escaped + found, 0};
    rest.begin = begin;
    carom_follow_twin(&rest, &more);
    out->escaped_count = found + more.escaped_count;
}

/* Whole vectors of bodies up to `end`. Writes those that have escaped to out->escaped, and their number; returns the
 * first body that is left. */
static inline __attribute__((always_inline)) uint64_t follow_whole(const carom_follow_in *in, uint64_t end,
                                                                   carom_follow_out *out, bodies_form form) {
    const carom_bodies *bodies = in->bodies;
    const carom_fat_box_set *fat_boxes = in->fat_boxes;
    const uint32_t *slot = in->slot;
    carom_record *records = out->records;
    uint32_t *escaped = out->escaped;
    const bool past_cache = in->past_cache;
    const bool fetch_lines = !(CAROM_REAL_BITS == 64 && past_cache);
    const strided_bodies all = strided_of(bodies, form);
    uint32_t found = 0;
    uint64_t n = in->begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        if (n + AHEAD < bodies->count) {
            fetch_bodies(bodies, n + AHEAD, form);
            fetch_fat_boxes(fat_boxes, n + AHEAD);
        }
        if (fetch_lines && n + CAROM_LANES + CAROM_SLOTS_AHEAD <= bodies->count) {
            fetch_slots(records, slot + n + CAROM_SLOTS_AHEAD);
        }
        const strided *s = load_strided(&all, n, form, &own);
        move_lanes(bodies, n, s, slot, past_cache, records);
        if (fat_boxes->inner != NULL && __builtin_expect(all_inside(bodies, n, s, fat_boxes), 1)) {
            continue;
        }
        uint32_t gone = ALL & ~kept_bits(bodies, n, s, fat_boxes);
        for (; gone != 0; gone &= gone - 1) {
            escaped[found++] = (uint32_t)n + (uint32_t)__builtin_ctz(gone);
        }
    }
    if (!fetch_lines) {
        carom_stream_fence();
    }
    out->escaped_count = found;
    return n;
}

static __attribute__((noinline)) uint64_t follow_strided(const carom_follow_in *in, carom_follow_out *out) {
    return follow_whole(in, strided_end(in->bodies, in->end), out, BODIES_ANY);
}

void carom_follow(const carom_follow_in *in, carom_follow_out *out) {
    CAROM_ASSERT(carom_check_follow(in));
    CAROM_ASSERT(in->begin == in->end || (out->records != NULL && out->escaped != NULL));
    const uint64_t n =
        carom_layout_is_packed(in->bodies) ? follow_whole(in, in->end, out, BODIES_PACKED) : follow_strided(in, out);
    follow_singly(in, n, out->escaped_count, out);
}
