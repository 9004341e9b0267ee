/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* simd/hull_paths.h, CAROM_LANES bodies at a time, in two halves of doubles. What is left over is the twin's. */
#include "simd/hull_lanes.h"

#include <float.h>

#include "simd/check.h"
#include "simd/declare.h"

#define carom_hulls CAROM_KERNEL_OF(hulls)
#define carom_hulls_twin CAROM_TWIN_OF(hulls)

enum { HALF = CAROM_LANES / 2 };

/* CAROM_LANES / 2 bodies. */
typedef struct half {
    vd motion[8];
    vd radius;
    vd inverse_mass;
} half;

/* Results in doubles. */
typedef struct results {
    vd lo[3];
    vd hi[3];
    vd_coarse coarse;
} results;

static inline half load_half(const double *motion, const double *body) {
    static const uint32_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    double radius[HALF];
    double inverse_mass[HALF];
    half h;
    for (size_t l = 0; l < HALF; l++) {
        radius[l] = body[4 * l + CAROM_BODY_RADIUS];
        inverse_mass[l] = body[4 * l + CAROM_BODY_INVERSE_MASS];
    }
    vd_rows_f64(motion, numbers, h.motion);
    h.radius = vd_load(radius);
    h.inverse_mass = vd_load(inverse_mass);
    return h;
}

/* More than rounding to float moves a value. */
static inline vd float_rounding(vd x) {
    return vd_add(vd_mul(vd_set1(CAROM_HULL_FLOAT_PART), vd_abs(x)), vd_set1(CAROM_HULL_FLOAT_LEAST));
}

static inline vd room_of(const carom_hull_frame *frame, const half *h, vd from) {
    vd v[3];
    for (int a = 0; a < 3; a++) {
        v[a] = vd_sub(h->motion[CAROM_MOTION_V + a], vd_set1(frame->drift[a]));
    }
    const vd square = vd_add(vd_add(vd_mul(v[0], v[0]), vd_mul(v[1], v[1])), vd_mul(v[2], v[2]));
    const vd speed = vd_add(vd_mul(vd_set1(frame->own_room), vd_sqrt(square)), vd_set1(frame->room));
    const vd room = vd_min(vd_mul(vd_sub(vd_set1(frame->end), from), speed), vd_set1(frame->room_most));
    return vd_select(vd_lt(vd_set1(0.0), h->inverse_mass), room, vd_set1(0.0));
}

static inline void make_box(const carom_hull_frame *frame, const half *h, results *r) {
    const vd room = room_of(frame, h, vd_hull_from(frame, h->motion));
    for (int a = 0; a < 3; a++) {
        vd lo;
        vd hi;
        vd_hull_span(frame, h->motion, h->radius, a, &lo, &hi);
        const vd low = vd_sub(lo, room);
        const vd high = vd_add(hi, room);
        r->lo[a] = vd_sub(low, float_rounding(low));
        r->hi[a] = vd_add(high, float_rounding(high));
    }
}

static inline results make_half(const carom_hull_frame *frame, const double *motion, const double *body) {
    const half h = load_half(motion, body);
    results r;
    make_box(frame, &h, &r);
    r.coarse = vd_hull_coarse(frame, h.motion, h.radius);
    return r;
}

/* Returns bits of the lanes whose boxes are finite. */
static inline uint32_t store(const results *low, const results *high, uint64_t n, const carom_hull_paths *hulls) {
    vf box[8];
    uint32_t finite = UINT32_MAX;
    for (int a = 0; a < 3; a++) {
        box[a] = vf_from_vd(low->lo[a], high->lo[a]);
        box[3 + a] = vf_from_vd(low->hi[a], high->hi[a]);
        finite &= vfm_bits(vfm_and(vf_le(vf_set1(-FLT_MAX), box[a]), vf_le(box[3 + a], vf_set1(FLT_MAX))));
    }
    box[6] = box[7] = vf_set1(0.0F);
    vf_store_rows(hulls->box[n].lo, box);
    vd_store_coarse(&hulls->coarse[n], &low->coarse, &high->coarse);
    return finite;
}

bool carom_hulls(const carom_hull_frame *frame, const double *motion, const double *body, uint64_t begin, uint64_t end,
                 const carom_hull_paths *hulls) {
    const uint32_t all = (uint32_t)((UINT64_C(1) << CAROM_LANES) - 1);
    bool finite = true;
    uint64_t n = begin;
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        const results low = make_half(frame, motion + 8 * n, body + 4 * n);
        const results high = make_half(frame, motion + 8 * (n + HALF), body + 4 * (n + HALF));
        finite = (store(&low, &high, n, hulls) & all) == all && finite;
    }
    return carom_hulls_twin(frame, motion, body, n, end, hulls) && finite;
}
