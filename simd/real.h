/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* vr: CAROM_LANES values of the precision being compiled (CAROM_REAL_BITS), so that a kernel over bodies is written
 * once. A vr of floats is one vf; a vr of doubles is two vd. Functions of vr do what those of vf in simd/vec.h do, lane
 * by lane. Besides: boxes of bodies, as every kernel computes them (simd/ref/box.h is the scalar form), and stores that
 * round to the precision. */
#ifndef CAROM_SIMD_REAL_H
#define CAROM_SIMD_REAL_H

#include <float.h>
#include <math.h>

#include "simd/isa.h"
#include "simd/margins.h"
#include "simd/vec.h"

/* Slots of consecutive records: vr_rows(records + n, carom_lane_numbers, field) loads records n, n + 1, and so on. */
static const uint32_t carom_lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#if CAROM_REAL_BITS == 32

typedef vf vr;

static inline vr vr_set1(float x) {
    return vf_set1(x);
}
static inline vr vr_load(const float *a) {
    return vf_load(a);
}
/* The first `count` values in the first lanes, 0 in the others. */
static inline vr vr_load_first(const float *a, uint32_t count) {
    return vf_load_first(a, count);
}
static inline void vr_store(float *a, vr x) {
    vf_store(a, x);
}
/* Whether no lane is negative or NaN. */
static inline bool vr_all_at_least_zero(vr x) {
    return vfm_bits(vf_le(vf_set1(0.0F), x)) == (UINT32_C(1) << CAROM_LANES) - 1;
}
static inline vr vr_add(vr a, vr b) {
    return vf_add(a, b);
}
static inline vr vr_sub(vr a, vr b) {
    return vf_sub(a, b);
}
static inline vr vr_min(vr a, vr b) {
    return vf_min(a, b);
}
/* The values as floats, rounded to nearest. */
static inline vf vr_floats(vr a) {
    return a;
}
/* The values as doubles: the lower half of the lanes, and the upper. */
static inline void vr_halves(vr x, vd half[2]) {
    half[0] = vd_from_low(x);
    half[1] = vd_from_high(x);
}
/* Loads CAROM_LANES points, `stride` bytes from one to the next, and transposes them. Up to four values are read of
 * each. */
static inline void vr_points(const char *at, uint64_t stride, vr field[3]) {
    vf_points(at, stride, field);
}
/* Likewise CAROM_LANES points side by side; these values are all it reads. */
static inline void vr_triples(const float *at, vr field[3]) {
    vf_triples(at, field);
}
/* Loads CAROM_LANES records and transposes them: field[f] holds field f of the record at each slot. */
static inline void vr_rows(const carom_record_f32 *records, const uint32_t *slot, vr field[7]) {
    vf_rows((const float *)(const void *)records, slot, field);
}
/* Stores CAROM_LANES / 2 doubles, rounded to nearest. */
static inline void vd_store_real(float *a, vd x) {
    vd_store_f32(a, x);
}

/* A time in [0, 1] as it is stored. f32 rounds it down, so that it is not late; below the normal floats to 0, because a
 * subnormal has fewer bits than the mask keeps and would be rounded again, perhaps up. */
static inline vd vd_time_real(vd x) {
    return vd_select(vd_lt(x, vd_set1((double)FLT_MIN)), vd_set1(0.0), vd_mask(x, CAROM_TIME_BITS));
}

/* One axis of a swept box, rounded. f32 does without the centre: its positions are floats already. */
static inline void vr_box_rounded(vr prev, vr curr, vr radius, double centre, vf *lo, vf *hi) {
    (void)centre;
    *lo = vf_sub(vf_min(prev, curr), radius);
    *hi = vf_add(vf_max(prev, curr), radius);
}

#else

typedef struct vr {
    vd half[2]; /* the lower half of the lanes, and the upper */
} vr;

static inline vr vr_set1(double x) {
    return (vr){{vd_set1(x), vd_set1(x)}};
}
static inline vr vr_load(const double *a) {
    return (vr){{vd_load(a), vd_load(a + CAROM_LANES / 2)}};
}
static inline vr vr_load_first(const double *a, uint32_t count) {
    enum { HALF = CAROM_LANES / 2 };
    return count > HALF ? (vr){{vd_load(a), vd_load_first(a + HALF, count - HALF)}}
                        : (vr){{vd_load_first(a, count), vd_set1(0.0)}};
}
static inline void vr_store(double *a, vr x) {
    vd_store(a, x.half[0]);
    vd_store(a + CAROM_LANES / 2, x.half[1]);
}
static inline bool vr_all_at_least_zero(vr x) {
    const vdm low = vd_le(vd_set1(0.0), x.half[0]);
    return vdm_bits(vdm_and(low, vd_le(vd_set1(0.0), x.half[1]))) == (UINT32_C(1) << CAROM_LANES / 2) - 1;
}
static inline vr vr_add(vr a, vr b) {
    return (vr){{vd_add(a.half[0], b.half[0]), vd_add(a.half[1], b.half[1])}};
}
static inline vr vr_sub(vr a, vr b) {
    return (vr){{vd_sub(a.half[0], b.half[0]), vd_sub(a.half[1], b.half[1])}};
}
static inline vr vr_min(vr a, vr b) {
    return (vr){{vd_min(a.half[0], b.half[0]), vd_min(a.half[1], b.half[1])}};
}
static inline void vr_halves(vr x, vd half[2]) {
    half[0] = x.half[0];
    half[1] = x.half[1];
}
static inline vf vr_floats(vr a) {
    return vf_from_vd(a.half[0], a.half[1]);
}
static inline void vr_points(const char *at, uint64_t stride, vr field[3]) {
    vd low[3];
    vd high[3];
    vd_points(at, stride, low);
    vd_points(at + CAROM_LANES / 2 * stride, stride, high);
    for (int a = 0; a < 3; a++) {
        field[a] = (vr){{low[a], high[a]}};
    }
}
static inline void vr_triples(const double *at, vr field[3]) {
    vd low[3];
    vd high[3];
    vd_triples(at, low);
    vd_triples(at + 3 * (CAROM_LANES / 2), high);
    for (int a = 0; a < 3; a++) {
        field[a] = (vr){{low[a], high[a]}};
    }
}
static inline void vr_rows(const carom_record_f64 *records, const uint32_t *slot, vr field[7]) {
    vd low[8];
    vd high[8];
    vd_rows_f64((const double *)(const void *)records, slot, low);
    vd_rows_f64((const double *)(const void *)records, slot + CAROM_LANES / 2, high);
    for (int n = 0; n < 7; n++) {
        field[n] = (vr){{low[n], high[n]}};
    }
}
/* The same for CAROM_LANES / 2 records; field[7] has the bits of the numbers of the bodies. */
static inline void vd_rows(const carom_record_f64 *records, const uint32_t *slot, vd field[8]) {
    vd_rows_f64((const double *)(const void *)records, slot, field);
}
static inline void vd_store_real(double *a, vd x) {
    vd_store(a, x);
}

static inline vd vd_time_real(vd x) {
    return x;
}

/* Twice the rounding error of (m - r) - centre in double, as a share of |m| + r + |centre|. */
#define CAROM_BOX_SLACK 0x1p-51

static inline vd vd_box_slack(vd m, vd radius, double centre) {
    return vd_mul(vd_add(vd_add(vd_abs(m), radius), vd_set1(fabs(centre))), vd_set1(CAROM_BOX_SLACK));
}

/* One axis of a swept box relative to centre, rounded. The two subtractions err by at most 2^-53 each of the operands'
 * size. After cancellation that can be more than a float step of the result. So the slack covers it, and the step of
 * vr_box covers the rounding to float. */
static inline void vr_box_rounded(vr prev, vr curr, vr radius, double centre, vf *lo, vf *hi) {
    vd down[2];
    vd up[2];
    for (int n = 0; n < 2; n++) {
        vd least = vd_min(prev.half[n], curr.half[n]);
        vd most = vd_max(prev.half[n], curr.half[n]);
        vd r = radius.half[n];
        down[n] = vd_sub(vd_sub(vd_sub(least, r), vd_set1(centre)), vd_box_slack(least, r, centre));
        up[n] = vd_add(vd_sub(vd_add(most, r), vd_set1(centre)), vd_box_slack(most, r, centre));
    }
    *lo = vf_from_vd(down[0], down[1]);
    *hi = vf_from_vd(up[0], up[1]);
}

#endif

/* One axis of a swept box: a float step outward from the rounded value, so that the exact box lies inside. Clamping
 * first turns NaN and infinity into the largest float, whose step outward is infinite. */
static inline void vr_box(vr prev, vr curr, vr radius, double centre, vf *lo, vf *hi) {
    vr_box_rounded(prev, curr, radius, centre, lo, hi);
    *lo = vf_step_down(vf_max(*lo, vf_set1(-FLT_MAX)));
    *hi = vf_step_up(vf_min(*hi, vf_set1(FLT_MAX)));
}

#endif
