/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept boxes of consecutive bodies, relative to a centre: columns of bodies come in, columns of sides go out. From
 * enlarged bodies these are the fat boxes that the coherent engine compares the boxes of later steps with. They round
 * as the boxes of the partition do, so that "inside" means the same for both. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

#define carom_fat_boxes CAROM_KERNEL(fat_boxes)
#define carom_fat_boxes_twin CAROM_TWIN(fat_boxes)

/* Whole vectors of bodies [n, end). Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t make_boxes(const carom_bodies *bodies, uint64_t n, uint64_t end,
                                                                 const double centre[3], float *const lo[3],
                                                                 float *const hi[3], bodies_form form) {
    const strided_bodies all = strided_of(bodies, form);
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        const strided *s = load_strided(&all, n, form, &own);
        vr radius = radius_of(bodies, n, s);
        for (int a = 0; a < 3; a++) {
            vf low;
            vf high;
            vr_box(prev_of(bodies, n, a, s), curr_of(bodies, n, a, s), radius, centre[a], &low, &high);
            vf_store(lo[a] + n, low);
            vf_store(hi[a] + n, high);
        }
    }
    return n;
}

static __attribute__((noinline)) uint64_t make_strided(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                       const double centre[3], float *const lo[3], float *const hi[3]) {
    return make_boxes(bodies, begin, strided_end(bodies, end), centre, lo, hi, BODIES_ANY);
}

void carom_fat_boxes(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                     float *const lo[3], float *const hi[3]) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_sides(lo, hi));
    CAROM_ASSERT(carom_check_point(centre));
    const uint64_t n = carom_layout_is_packed(bodies) ? make_boxes(bodies, begin, end, centre, lo, hi, BODIES_PACKED)
                                                      : make_strided(bodies, begin, end, centre, lo, hi);
    carom_fat_boxes_twin(bodies, n, end, centre, lo, hi);
}
