/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depth of two cores, with scalar supports (simd/epa_search.h). */
#include "simd/declare.h"
#include "simd/epa_search.h"

#define carom_epa_twin CAROM_TWIN_OF(epa)

bool carom_epa_twin(const carom_posed *i, const carom_posed *k, const carom_goal *goal, carom_bracket *bracket) {
    const carom_difference difference = carom_difference_make(i, k);
    carom_epa_search search;
    search.difference = &difference;
    search.goal = goal;
    search.support = carom_difference_support;
    search.find_nearest = carom_polytope_find_nearest;
    search.bracket = bracket;
    return carom_epa_run(&search);
}
