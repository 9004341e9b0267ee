/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Few bodies: one pass reads the caller's arrays, checks their values, and writes records and boxes. The last vector is
 * filled with bodies that are points at the origin, rather than left to the twin: with few bodies it may be the only
 * one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/records.h"
#include "simd/strided.h"

#define carom_direct_bodies CAROM_KERNEL(direct_bodies)

/* Whether all bodies so far are valid, a lane at a time. */
typedef struct defects {
    vr sum;          /* of x - x: 0, or NaN once a value was not finite */
    vr least_radius; /* or 0 if all are above */
} defects;

/* Where the records and boxes of CAROM_LANES bodies go. */
typedef struct places {
    carom_record *records;
    float *lo[3];
    float *hi[3];
} places;

static inline places places_at(carom_record *records, float *const lo[3], float *const hi[3], uint64_t at) {
    return (places){records + at, {lo[0] + at, lo[1] + at, lo[2] + at}, {hi[0] + at, hi[1] + at, hi[2] + at}};
}

/* Boxes and defects of bodies n .. n + CAROM_LANES - 1. */
static inline __attribute__((always_inline)) void add_bodies(const carom_bodies *bodies, uint64_t n, const strided *s,
                                                             const double centre[3], const places *to, defects *found) {
    const vr radius = radius_of(bodies, n, s);
    vr defect = vr_sub(radius, radius);
    found->least_radius = vr_min(radius, found->least_radius);
    for (int a = 0; a < 3; a++) {
        const vr prev = prev_of(bodies, n, a, s);
        const vr curr = curr_of(bodies, n, a, s);
        vf low;
        vf high;
        vr_box(prev, curr, radius, centre == NULL ? 0.0 : centre[a], &low, &high);
        vf_store(to->lo[a], low);
        vf_store(to->hi[a], high);
        defect = vr_add(defect, vr_add(vr_sub(prev, prev), vr_sub(curr, curr)));
    }
    found->sum = vr_add(found->sum, defect);
}

/* Bodies n .. n + count - 1 in the first lanes. */
static inline vr load_first(const carom_real *from, uint64_t stride, uint64_t n, uint32_t count) {
    if (stride == 0) {
        return vr_load_first(from + n, count);
    }
    carom_real lane[CAROM_LANES] = {0};
    for (uint32_t l = 0; l < count; l++) {
        lane[l] = carom_layout_value(from, stride, n + l);
    }
    return vr_load(lane);
}

static inline strided load_last(const carom_bodies *bodies, uint64_t n, uint32_t count) {
    strided s;
    for (int a = 0; a < 3; a++) {
        s.prev[a] = load_first(bodies->prev[a], bodies->prev_stride, n, count);
        s.curr[a] = load_first(bodies->curr[a], bodies->curr_stride, n, count);
    }
    s.radius = bodies->radius == NULL ? vr_set1(bodies->common_radius)
                                      : load_first(bodies->radius, bodies->radius_stride, n, count);
    return s;
}

#if CAROM_REAL_BITS == 32
static inline __attribute__((always_inline)) void put_records(const carom_bodies *bodies, uint64_t n, uint32_t count,
                                                              const strided *s, carom_record *records) {
    (void)count;
    make_records(bodies, n, s, records);
}
#else
static inline __attribute__((always_inline)) void put_records(const carom_bodies *bodies, uint64_t n, uint32_t count,
                                                              const strided *s, carom_record *records) {
    (void)s;
    for (uint32_t l = 0; l < count; l++) {
        records[l] = carom_layout_body(bodies, n + l);
    }
}
#endif

bool carom_direct_bodies(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                         carom_record *records, float *const lo[3], float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end) && carom_check_sides(lo, hi));
    CAROM_ASSERT(CAROM_REAL_BITS == 32 || carom_check_point(centre));
    defects found = {vr_set1(0), vr_set1(0)};
    const bool packed = carom_layout_is_packed(bodies);
    uint64_t n = begin;
    for (; packed && n + CAROM_LANES <= end; n += CAROM_LANES) {
        const places to = places_at(records, lo, hi, n - begin);
        add_bodies(bodies, n, NULL, centre, &to, &found);
        put_records(bodies, n, CAROM_LANES, NULL, to.records);
    }
    for (; n < end; n += CAROM_LANES) {
        const uint32_t count = end - n < CAROM_LANES ? (uint32_t)(end - n) : CAROM_LANES;
        const places to = places_at(records, lo, hi, n - begin);
        const strided last = load_last(bodies, n, count);
        add_bodies(bodies, n, &last, centre, &to, &found);
        put_records(bodies, n, count, &last, to.records);
    }
    return vr_all_at_least_zero(found.sum) && vr_all_at_least_zero(found.least_radius);
}
