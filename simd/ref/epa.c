/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depths of pairs of cores, one by one, in scalar form (simd/epa_pair.h). */
#include "simd/declare.h"
#include "simd/epa_pair.h"

#define carom_epa_twin CAROM_TWIN_OF(epa)

static uint32_t find_nearest(const double *distance, uint32_t count) {
    uint32_t nearest = 0;
    double least = HUGE_VAL;
    for (uint32_t n = 0; n < count; n++) {
        nearest = distance[n] < least ? n : nearest;
        least = distance[n] < least ? distance[n] : least;
    }
    return nearest;
}

static void find(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                 carom_bracket *brackets, carom_epa_pair *pair) {
    for (uint32_t n = 0; n < count; n++) {
        if (brackets[n].overlap) {
            brackets[n].overlap =
                !carom_epa_find(&i[n], &k[n], &goals[n], &brackets[n], carom_support, find_nearest, pair);
        }
    }
}

static __attribute__((noinline)) void find_on_stack(const carom_posed *i, const carom_posed *k, const carom_goal *goals,
                                                    uint32_t count, carom_bracket *brackets) {
    carom_epa_pair pair;
    find(i, k, goals, count, brackets, &pair);
}

void carom_epa_twin(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                    carom_bracket *brackets, carom_epa_room *room) {
    if (room != NULL) {
        find(i, k, goals, count, brackets, (carom_epa_pair *)(void *)room);
    } else {
        find_on_stack(i, k, goals, count, brackets);
    }
}
