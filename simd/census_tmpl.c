/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies come in; how many of their boxes are larger than each of some limits goes out, a cumulative histogram. From it
 * the plan prices cells that are narrower than the widest boxes. It counts bodies within each limit, and subtracts. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

#define carom_census_bodies CAROM_KERNEL(census)
#define carom_census_twin CAROM_TWIN(census)

/* The size of each of CAROM_LANES boxes. */
static inline __attribute__((always_inline)) vf widest_side(const carom_bodies *bodies, uint64_t n, const strided *s,
                                                            const double centre[3]) {
    vr radius = radius_of(bodies, n, s);
    vf widest = vf_set1(0.0F);
    for (int a = 0; a < 3; a++) {
        vf lo;
        vf hi;
        vr_box(prev_of(bodies, n, a, s), curr_of(bodies, n, a, s), radius, centre[a], &lo, &hi);
        widest = vf_max(vf_sub(hi, lo), widest);
    }
    return widest;
}

/* Whole vectors of bodies [n, end): adds how many are within each limit. Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t count_within(const carom_bodies *bodies, uint64_t n, uint64_t end,
                                                                   const double centre[3], const carom_census *census,
                                                                   uint64_t within[CAROM_CENSUS_LIMITS],
                                                                   bodies_form form) {
    const strided_bodies all = strided_of(bodies, form);
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        vf widest = widest_side(bodies, n, load_strided(&all, n, form, &own), centre);
        for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
            vfm narrow = vf_le(widest, vf_set1(census->limit[l]));
            within[l] += (uint64_t)__builtin_popcount(vfm_bits(narrow));
        }
    }
    return n;
}

static __attribute__((noinline)) uint64_t count_triples(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                        const double centre[3], const carom_census *census,
                                                        uint64_t within[CAROM_CENSUS_LIMITS]) {
    return count_within(bodies, begin, strided_end(bodies, end), centre, census, within, BODIES_TRIPLES);
}
static __attribute__((noinline)) uint64_t count_any(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                    const double centre[3], const carom_census *census,
                                                    uint64_t within[CAROM_CENSUS_LIMITS]) {
    return count_within(bodies, begin, strided_end(bodies, end), centre, census, within, BODIES_ANY);
}

void carom_census_bodies(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                         carom_census *census) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(carom_check_point(centre));
    CAROM_ASSERT(carom_check_ascending(census->limit, CAROM_CENSUS_LIMITS));
    uint64_t within[CAROM_CENSUS_LIMITS] = {0};
    const bodies_form form = bodies_form_of(bodies);
    const uint64_t n = form == BODIES_PACKED ? count_within(bodies, begin, end, centre, census, within, BODIES_PACKED)
                       : form == BODIES_TRIPLES ? count_triples(bodies, begin, end, centre, census, within)
                                                : count_any(bodies, begin, end, centre, census, within);
    for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
        census->wider[l] += n - begin - within[l];
    }
    carom_census_twin(bodies, n, end, centre, census);
}
