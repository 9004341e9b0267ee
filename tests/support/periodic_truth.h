/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What detection must find in a periodic box, the slow and plain way: every pair of bodies with every image, with
 * self_images also of a body with itself. Numbers
 * are to be chosen so that a position plus whole edges is exact in double. */
#ifndef CAROM_TESTS_PERIODIC_TRUTH_H
#define CAROM_TESTS_PERIODIC_TRUTH_H

#include "carom/periodic.h"
#include "tests/support/check_detection.h"

typedef struct periodic_row {
    uint32_t i;
    uint32_t k;
    int32_t shift[3];
    bool touches;
} periodic_row;

typedef struct periodic_truth {
    const carom_bodies_f64 *bodies;
    const carom_periodic *box;
    uint64_t count;
    uint64_t touching;
    periodic_row *row; /* all pairs whose exact boxes overlap, by (i, k, shift) */
    brute_groups groups;
    uint64_t touching_hash;
} periodic_truth;

/* Bodies may be anywhere: wrap[n] says how many edges body n is from where images are looked for. */
periodic_truth periodic_truth_of(const carom_bodies_f64 *bodies, const int32_t (*wrap)[3], const carom_periodic *box);
void periodic_truth_release(periodic_truth *known);

/* Least distance of a body from its own image. */
double periodic_shortest(const carom_periodic *box);

/* A result with any_config_full, or with all_pairs besides: the very same rows, groups, counts, hash. */
void periodic_check(const periodic_truth *known, any_precision precision, bool all_pairs, const any_result *result);

/* A result of until = PAIRS in order: all rows, and besides them only such as rounding of boxes to float explains. */
void periodic_check_pairs(const periodic_truth *known, const any_result *result);

#endif
