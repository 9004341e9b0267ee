/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a periodic box come in. Out: the same as doubles, and whether they may stay where they are: mostly all do,
 * so one answer for many is enough. Layouts that are not packed go through the twin. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

#define carom_home_kernel CAROM_KERNEL(home)
#define carom_home_twin CAROM_TWIN(home)

enum { HALF = CAROM_LANES / 2 };

/* x - x is 0, or NaN where x is not finite. */
static inline vdm is_finite(vd x) {
    return vd_le(vd_sub(x, x), vd_set1(0.0));
}

/* Whether 0 <= x < least; NaN is not. */
static inline vdm is_below(vd x, double least) {
    return vdm_and(vd_le(vd_set1(0.0), x), vd_lt(x, vd_set1(least)));
}

static inline vdm is_in_cell(const carom_home *home, const vd prev[3]) {
    vdm inside = is_finite(prev[0]);
    inside = vdm_and(inside, vdm_and(is_finite(prev[1]), is_finite(prev[2])));
    for (uint32_t b = 0; b < home->dimensions; b++) {
        vd at = vd_mul(vd_set1(home->dual[b][0]), prev[0]);
        at = vd_add(at, vd_mul(vd_set1(home->dual[b][1]), prev[1]));
        at = vd_add(at, vd_mul(vd_set1(home->dual[b][2]), prev[2]));
        inside = vdm_and(inside, is_below(at, 1.0));
    }
    return inside;
}

/* CAROM_LANES bodies, half of them at a time. */
static inline vdm place_lanes(const carom_bodies *bodies, uint64_t n, const carom_home *home, double *const field[7]) {
    vd value[7][2];
    for (int a = 0; a < 3; a++) {
        vr_halves(vr_load(bodies->prev[a] + n), value[a]);
        vr_halves(vr_load(bodies->curr[a] + n), value[a + 3]);
    }
    vr_halves(vr_load(bodies->radius + n), value[6]);
    vdm good[2];
    for (int h = 0; h < 2; h++) {
        const vd prev[3] = {value[0][h], value[1][h], value[2][h]};
        const vd radius = value[6][h];
        good[h] = vdm_and(is_in_cell(home, prev), is_below(vd_add(radius, radius), home->diameter));
        for (int f = 0; f < 7; f++) {
            vd_store(field[f] + n + h * HALF, value[f][h]);
        }
        good[h] = vdm_and(good[h], vdm_and(is_finite(value[3][h]), is_finite(value[4][h])));
        good[h] = vdm_and(good[h], is_finite(value[5][h]));
    }
    return vdm_and(good[0], good[1]);
}

bool carom_home_kernel(const carom_bodies *bodies, uint64_t begin, uint64_t end, const carom_home *home,
                       double *const field[7]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    const uint32_t every = (UINT32_C(1) << HALF) - 1;
    uint64_t n = begin;
    vdm good = vdm_from_bits(every);
    for (; carom_layout_is_packed(bodies) && n + CAROM_LANES <= end; n += CAROM_LANES) {
        good = vdm_and(good, place_lanes(bodies, n, home, field));
    }
    const bool rest = carom_home_twin(bodies, n, end, home, field);
    return rest && vdm_bits(good) == every;
}
